/** Reads the list of public names: a subpath at the left edge, its names indented below it, `#` for remarks. */

export function parsePins(text: string): Map<string, string[]> {
  const pins = new Map<string, string[]>();
  let names: string[] | undefined;
  for (const line of text.split('\n')) {
    const name = line.replace(/#.*/, '').trim();
    if (name === '') continue;
    if (line.startsWith(' ')) {
      if (names === undefined) throw new Error(`the name "${name}" stands before any subpath`);
      names.push(name);
    } else {
      names = [];
      pins.set(name, names);
    }
  }
  for (const list of pins.values()) list.sort();
  return pins;
}

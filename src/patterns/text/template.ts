/** Texts with places to fill in, checked before anything is spent; pure. */

/** `{name}` is a place; `{{` and `}}` stand for braces. */
export interface Template {
  fill(values: Readonly<Record<string, string>>): string;
}

/**
 * Throws a TypeError that names `where` for a place that nobody fills, a needed place that is missing, and a brace that
 * is never closed. What is filled in is not read again: braces in it are text.
 */
export function readTemplate(
  where: string,
  text: string,
  places: { readonly known: readonly string[]; readonly needed: readonly string[] },
): Template {
  const parts = split(where, text);
  const used = new Set(parts.flatMap(part => (part.place === undefined ? [] : [part.place])));
  const list = (names: readonly string[]): string => names.map(name => `{${name}}`).join(', ');
  for (const place of used) {
    if (places.known.includes(place)) continue;
    throw new TypeError(
      `${where}: nothing is filled in at {${place}}; there are ${list(places.known)}, and {{ stands for a brace`,
    );
  }
  const missing = places.needed.filter(place => !used.has(place));
  if (missing.length > 0) throw new TypeError(`${where}: ${list(missing)} is missing in the template`);
  return {
    fill: values =>
      parts.map(part => (part.place === undefined ? part.text : (values[part.place] ?? ''))).join(''),
  };
}

interface Piece {
  readonly text: string;
  readonly place?: string;
}

function split(where: string, text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const pattern = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    const [whole, place] = found;
    pieces.push({ text: text.slice(from, found.index) });
    from = found.index + whole.length;
    if (place !== undefined) pieces.push({ text: '', place: place.trim() });
    else if (whole.length === 2) pieces.push({ text: whole.charAt(0) });
    else {
      throw new TypeError(
        `${where}: a single ${JSON.stringify(whole)} at character ${found.index} of the template; write it twice to mean the brace`,
      );
    }
  }
  return [...pieces, { text: text.slice(from) }];
}

/** A value in a few characters, by its shape alone: bounded, and silent about strings that begin as keys do. */

const keyLike = /^(sk-|pk-|bearer |basic |gh[pousr]_|github_pat_|xox[abpr]-|AKIA|eyJ|-----BEGIN)/i;

/** `value` as text of about `room` characters at most; objects and arrays are named by their shape only. */
export function outline(value: unknown, room = 60): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return outlineString(value, room);
  if (Array.isArray(value))
    return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`;
  if (typeof value === 'object' && value !== null) return outlineObject(value, room);
  if (typeof value === 'function') return 'a function';
  return String(value).slice(0, room);
}

/** The values a schema allows, as a list of about `room` characters at most. */
export function outlineList(values: readonly unknown[], room = 200): string {
  const shown: string[] = [];
  let used = 0;
  for (const value of values) {
    const text = outline(value);
    used += text.length + 2;
    if (used > room && shown.length > 0)
      return `${shown.join(', ')} and ${values.length - shown.length} more`;
    shown.push(text);
  }
  return shown.join(', ');
}

/** What is said of a string that nobody is to read. */
export function outlineHidden(value: string): string {
  return `a string of ${value.length} characters`;
}

function outlineString(value: string, room: number): string {
  if (keyLike.test(value)) return outlineHidden(value);
  if (value.length <= room) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, room - 1))}… (${value.length} characters)`;
}

function outlineObject(value: object, room: number): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const shown: string[] = [];
  let used = 0;
  for (const key of keys) {
    used += key.length + 2;
    if (used > room || shown.length === 4) break;
    shown.push(JSON.stringify(key));
  }
  if (shown.length === 0) return `an object with ${keys.length} properties`;
  const more = keys.length - shown.length;
  return `an object with ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A short sign that a JSON value has changed; no protection against somebody who wants it to look unchanged. */

/** Sixteen hexadecimal digits, the same for the same value in whatever order its members stand. */
export function fingerprint(value: unknown): string {
  const text = canonicalJson(value);
  return hash(text, 0x811c9dc5) + hash(text, 0x01000193);
}

/** JSON with the members of each object in order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** FNV-1a over UTF-16 code units, with a last round that spreads what the last ones changed. */
function hash(text: string, seed: number): string {
  let state = seed;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  return ((state ^ (state >>> 13)) >>> 0).toString(16).padStart(8, '0');
}

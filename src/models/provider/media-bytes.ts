/** What the base64 of a block holds: brought to the one form that every provider reads, and told by its first bytes; pure. */

/** How the base64 of each kind of picture begins. */
const pictures: readonly (readonly [start: RegExp, type: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^.{6}Z0eXBo(?:ZWl[j4tz]|ZXZ[j4])/, 'image/heic'],
  [/^.{6}Z0eXB(?:oZWlm|taWYx|tc2Yx)/, 'image/heif'],
];

const known: ReadonlySet<string> = new Set(['image/jpg', ...pictures.map(([, type]) => type)]);

/**
 * Plain base64 with its padding: white space and a `data:` prefix are taken out, and the letters of the form for
 * addresses replaced. `undefined` for what is no base64.
 */
export function readBase64(data: string): string | undefined {
  if (isPlain(data)) return data;
  const letters = data
    .replace(/^\s*data:[^,]*;base64,/i, '')
    .replace(/\s+/g, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .replace(/=+$/, '');
  const padded = `${letters}${'='.repeat((4 - (letters.length % 4)) % 4)}`;
  return isPlain(padded) ? padded : undefined;
}

/** One letter in the last four cannot hold a byte. */
function isPlain(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

/**
 * What the bytes of something declared as a picture say it is. `undefined` when they contradict a type whose beginning is
 * known; another type is taken at its word.
 */
export function pictureType(data: string, declared: string): string | undefined {
  const found = pictures.find(([start]) => start.test(data))?.[1];
  return found ?? (known.has(declared) ? undefined : declared);
}

/** Every PDF begins with these bytes. */
export function isPdf(data: string): boolean {
  return data.startsWith('JVBERi');
}

/** Looks at a value from a URI for what leads out of a folder: `..`, absolute paths, NUL, encoded or not. */

/** How often a value is decoded again before it is taken for harmless. */
const decodings = 3;

/** Why a value must not become part of a path; nothing when it may. */
export function screenPath(value: string): string | undefined {
  let text = value;
  for (let time = 0; time <= decodings; time += 1) {
    const found = inspectPath(text);
    if (found !== undefined) return time === 0 ? found : `${found}, encoded`;
    const decoded = decodeLeniently(text);
    if (decoded === text) return undefined;
    text = decoded;
  }
  return 'it is encoded again and again';
}

function inspectPath(text: string): string | undefined {
  if (text.includes('\0')) return 'it holds a NUL character';
  if (/^[/\\]/.test(text) || /^[A-Za-z]:[/\\]/.test(text)) return 'it is an absolute path';
  // Windows drops dots and spaces at the end of a name, so ".. " is ".." there.
  if (text.split(/[/\\]/).some(part => /^\.\.[. ]*$/.test(part))) return 'it holds ".."';
  return undefined;
}

/** Well-formed escapes are decoded, everything else stays: what is odd in one place must not hide another. */
function decodeLeniently(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, octet => {
    const code = Number.parseInt(octet.slice(1), 16);
    return code < 0x80 ? String.fromCharCode(code) : octet;
  });
}

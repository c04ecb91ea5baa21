/** What kind of file a name stands for, as far as skills need it. */

const types: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['json', 'application/json'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['xml', 'application/xml'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['ts', 'text/plain'],
  ['py', 'text/x-python'],
  ['sh', 'text/x-shellscript'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['svg', 'image/svg+xml'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
]);

/** The media type by the name's ending; bytes of an unknown kind by default. */
export function mediaTypeOf(path: string, isText: boolean): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return types.get(ending) ?? (isText ? 'text/plain' : 'application/octet-stream');
}

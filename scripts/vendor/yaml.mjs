/** The package yaml, of which front matter needs one function; unpatched. */

/** @type {import('../vendor.mjs').Recipe} */
export const yaml = {
  name: 'yaml',
  licence: 'LICENSE',
  target: 'yaml-parser.js',
  entry: { contents: "export { parse } from './dist/index.js';", folder: 'browser' },
};

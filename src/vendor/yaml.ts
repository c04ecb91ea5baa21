/** The vendored YAML parser (the package yaml); import it dynamically, most programs never need it. */
export { parse } from './yaml-parser.js';

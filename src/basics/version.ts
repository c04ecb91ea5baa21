/** The version of the package; a test compares it with package.json, so that no start has to read a file. */
export const version = '0.1.0';

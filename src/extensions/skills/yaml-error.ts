/** What cannot be read as YAML, and where. */

export class YamlError extends Error {
  override readonly name = 'YamlError';

  /** `line` counts from 0. */
  constructor(line: number, why: string) {
    super(`line ${line + 1} of the YAML cannot be read: ${why}`);
  }
}

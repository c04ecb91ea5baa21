/** What every command of `tenon` is made of. */
import type { ParseArgsConfig } from 'node:util';
import type { Terminal } from './print.ts';

/** Thrown for arguments that make no sense; the process ends with code 2 and shows how to get help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Command {
  /** What `tenon <name> --help` prints. */
  readonly help: string;
  /** Beside `--help`, which all have. */
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Does it and gives the exit code. */
  run(values: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number>;
}

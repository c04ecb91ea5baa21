/** What every command of `tenon` is made of. */
import type { ParseArgsConfig } from 'node:util';
import type { Terminal } from './terminal.ts';

/** Thrown for arguments that make no sense; the process ends with code 2 and shows how to get help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a command takes beside its options. */
export interface OperandRule {
  /** How many words. */
  readonly most: number;
  /** True when a program and its arguments may stand after `--`. */
  readonly commandLine: boolean;
}

/** What was typed for a command. */
export interface Given {
  /** The values of its options. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
  /** What stands after `--`, untouched; absent when nothing does. */
  readonly commandLine?: readonly string[];
}

export interface Command {
  /** What `tenon <name> --help` prints. */
  readonly help: string;
  /** Beside `--help`, which all have. */
  readonly options: NonNullable<ParseArgsConfig['options']>;
  readonly operands: OperandRule;
  /** Does it and gives the exit code. */
  run(given: Given, terminal: Terminal): Promise<number>;
}

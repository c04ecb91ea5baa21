/** What a guard reports, and the source it judges. */
import { isTest } from '../../scripts/bundles.mjs';
import type { Module } from '../../scripts/modules.mjs';

export interface Violation {
  /** Path from `src/`. */
  readonly file: string;
  readonly line?: number;
  /** What is wrong and what to do instead. */
  readonly reason: string;
}

/** The modules of one source folder, by path from it. */
export type Source = ReadonlyMap<string, Module>;

/** One line for people: `src/file.ts:12: reason`. */
export function describeViolation({ file, line, reason }: Violation): string {
  return `src/${file}${line === undefined ? '' : `:${line}`}: ${reason}`;
}

export { isTest };

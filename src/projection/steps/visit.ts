/** What the steps of a dialect share while one schema is rewritten. */

import type { Loss } from '../projection.ts';
import type { Dialect, Visit } from './dialect.ts';
import type { SchemaIndex } from './schema-index.ts';

/** A loss before it is known whose it is. */
export type SchemaLoss = Omit<Loss, 'tool'>;

/** One schema on its way through a dialect. */
export interface Run {
  readonly dialect: Dialect;
  readonly index: SchemaIndex;
  readonly losses: Map<string, SchemaLoss>;
  /** Names by pointer. */
  readonly definitions: Map<string, string>;
  /** How often a name was wanted, the names that were given among them. */
  readonly wanted: Map<string, number>;
  readonly waiting: { readonly name: string; readonly schema: unknown; readonly from: Stand }[];
  written: number;
  opened: number;
  refusal: SchemaLoss | undefined;
}

/** Where a schema stands, and what was opened on the way. */
export type Stand = Pick<Visit, 'pointer' | 'base' | 'trail'> & { readonly level: number };

/** References opened for one schema, looks ahead included. */
const mostOpened = 50_000;

export function openVisit(run: Run, stand: Stand, isRoot: boolean, hints: string[]): Visit {
  const { pointer } = stand;
  return {
    index: run.index,
    pointer,
    base: stand.base,
    isRoot,
    trail: stand.trail,
    nullable: false,
    isDone: false,
    lose(keyword, message) {
      const key = `${pointer}\n${keyword}\n${message}`;
      if (!run.losses.has(key)) run.losses.set(key, { path: pointer, keyword, message });
    },
    mayOpen: () => ++run.opened <= mostOpened,
    refuse(keyword, message) {
      run.refusal ??= { path: pointer, keyword, message };
    },
    hint: text => void hints.push(text),
    define(target) {
      // The root is there already; whatever else is pointed at gets a place of its own.
      if (target.pointer === '') return '#';
      let name = run.definitions.get(target.pointer);
      if (name === undefined) {
        name = nameDefinition(target.pointer, run.wanted);
        run.definitions.set(target.pointer, name);
        run.waiting.push({
          name,
          schema: target.schema,
          from: { ...target, trail: [target.schema], level: 0 },
        });
      }
      return `#/$defs/${name}`;
    },
  };
}

function nameDefinition(pointer: string, wanted: Map<string, number>): string {
  const last = pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .slice(0, 48);
  const stem = /^[A-Za-z]/.test(last) ? last : `Schema${last}`;
  let name = stem;
  let number = wanted.get(stem) ?? 0;
  while (wanted.has(name)) name = `${stem}_${++number}`;
  wanted.set(stem, Math.max(number, 1));
  wanted.set(name, 1);
  return name;
}

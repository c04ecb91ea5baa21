/** Takes a schema through the steps of a dialect, from the root to its leaves, within bounds. */
import { isObject } from '../../basics/json.ts';
import { escapePointer, keywordOf } from '../../schema/keywords.ts';
import type { Dialect, Visit } from './dialect.ts';
import { withHints } from './hints.ts';
import { indexSchema, type Node } from './schema-index.ts';
import { openVisit, type Run, type SchemaLoss, type Stand } from './visit.ts';

export interface Rewritten {
  readonly schema: Node;
  readonly losses: readonly SchemaLoss[];
  /** Why the dialect cannot hold this schema, if so. */
  readonly refusal?: SchemaLoss;
}

/** Schemas written for one schema, or twice as many as it has; more would fill a model's context before its first word. */
const mostSchemas = 2_000;
/** Levels of schemas within schemas, definitions apart. */
const mostLevels = 64;

/** Never throws for a schema that compiles. Changes nothing of it. */
export function rewriteSchema(schema: unknown, dialect: Dialect): Rewritten {
  const index = indexSchema(schema);
  const run: Run = {
    dialect,
    index,
    losses: new Map(),
    definitions: new Map(),
    wanted: new Map(),
    waiting: [],
    written: 0,
    opened: 0,
    refusal: undefined,
  };
  const root = rewrite(schema, run, { pointer: '', base: '', trail: [schema], level: 0 }, true);
  const definitions: Record<string, Node> = {};
  // Writing one can bring further ones, which are then gone through too.
  for (const next of run.waiting) {
    definitions[next.name] = rewrite(next.schema, run, next.from, false) ?? {};
  }
  const whole = Object.keys(definitions).length === 0 ? (root ?? {}) : { ...root, $defs: definitions };
  if (root === undefined) run.refusal = { path: '', keyword: 'not', message: 'no value fits it' };
  const over = run.refusal === undefined ? dialect.limits?.(whole) : undefined;
  const refusal = over === undefined ? run.refusal : { path: '', keyword: 'size', message: over };
  return { schema: whole, losses: [...run.losses.values()], ...(refusal && { refusal }) };
}

/** Undefined for a schema that nothing fits. */
function rewrite(schema: unknown, run: Run, stand: Stand, isRoot: boolean): Node | undefined {
  if (schema === false) return undefined;
  const place = run.index.placeOf(schema);
  const hints: string[] = [];
  const visit = openVisit(run, { ...stand, ...place }, isRoot, hints);
  if (isFull(run) || stand.level > mostLevels) {
    stop(run, visit);
    return cut(schema, run, visit);
  }
  run.written += 1;
  let node: Node = isObject(schema) ? schema : {};
  for (const step of run.dialect.before) {
    node = step(node, visit);
    if (visit.isDone) return node;
  }
  node = rewriteInner(node, run, visit, stand.level + 1);
  node = withHints(node, hints.splice(0));
  for (const step of run.dialect.after) node = step(node, visit);
  return withHints(node, hints);
}

/** Of a schema that is not followed any further, only the kind of value. */
function cut(schema: unknown, run: Run, visit: Visit): Node {
  const type = isObject(schema) ? schema['type'] : undefined;
  let node: Node = typeof type === 'string' && type !== 'array' ? { type } : { type: 'object' };
  for (const step of run.dialect.after) node = step(node, visit);
  return node;
}

function isFull(run: Run): boolean {
  return run.written >= Math.max(mostSchemas, 2 * run.index.size);
}

function stop(run: Run, visit: Visit): void {
  if (!run.dialect.mayCut) visit.refuse('size', 'it is too large or too deep when written out');
  visit.lose(
    'size',
    'what is here and after it is left out, for the schema is too large or too deep when written out',
  );
}

/** Rewrites the schemas inside; those for which there is no room any more are left out. */
function rewriteInner(node: Node, run: Run, visit: Visit, level: number): Node {
  const written: Record<string, unknown> = {};
  const one = (schema: unknown, rest: string): Node | undefined =>
    rewrite(schema, run, { ...visit, pointer: `${visit.pointer}/${rest}`, level }, false);
  for (const [keyword, value] of Object.entries(node)) {
    const holds = keywordOf(keyword)?.holds;
    if (holds === undefined || (typeof value === 'boolean' && keyword !== 'items')) written[keyword] = value;
    else if (Array.isArray(value) || holds === 'map') {
      const isList = Array.isArray(value);
      const entries: [string, Node][] = [];
      for (const [name, each] of Object.entries(value as object)) {
        if (isFull(run) && entries.length > 0) {
          stop(run, visit);
          break;
        }
        const inner = one(each, `${keyword}/${escapePointer(name)}`);
        if (inner !== undefined) entries.push([name, inner]);
        else if (!isList) visit.lose(keyword, `${JSON.stringify(name)} is left out, for no value fits it`);
      }
      if (!isList) written[keyword] = Object.fromEntries(entries);
      else if (entries.length > 0) written[keyword] = entries.map(([, inner]) => inner);
      else visit.lose(keyword, 'it is left out, for no value fits it');
    } else written[keyword] = one(value, keyword) ?? one(true, keyword) ?? {};
  }
  return written;
}

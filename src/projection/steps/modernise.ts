/** Reads a schema of any draft as the newest one writes it, and leaves out what says nothing of values. */
import { isObject } from '../../basics/json.ts';
import { keywordOf } from '../../schema/keywords.ts';
import { namedTypes } from '../../schema/named-types.ts';
import type { Step } from './dialect.ts';
import type { Node } from './schema-index.ts';

/** Words about the schema itself; a definition comes in where it is referred to. */
const aboutItself: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$defs',
  'definitions',
]);

/** What a reader of the schema is told; it constrains nothing. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
]);

/** Unknown keywords go without a note, for they mean nothing in JSON Schema. */
export const modernise: Step = (node, visit) => {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node)) {
    if (value === undefined || aboutItself.has(name)) continue;
    if (keywordOf(name) !== undefined || annotations.has(name) || name === 'const') read[name] = value;
  }
  if (typeof read['description'] !== 'string') delete read['description'];
  if (typeof read['title'] !== 'string') delete read['title'];
  if (read['default'] === null) delete read['default'];
  readBounds(read);
  readTuple(read);
  readDependencies(read);
  if (Array.isArray(read['required'])) read['required'] = [...new Set(read['required'])];
  if (mayBeNull(node)) read['type'] = namedTypes(node);
  if (Array.isArray(read['type'])) read['type'] = readTypes(read['type']);
  if (Array.isArray(read['enum']) && read['enum'].length === 0) {
    delete read['enum'];
    visit.lose('enum', 'an empty list of choices is left out, for no value fits it');
  }
  return read;
};

/** By the word `nullable` beside `type`; where choices leave null out it says nothing. */
function mayBeNull({ nullable, type, enum: choices, const: only }: Node): boolean {
  const isChoice = choices === undefined || (Array.isArray(choices) && choices.includes(null));
  return nullable === true && type !== undefined && only === undefined && isChoice;
}

/** Draft-04 wrote `exclusiveMinimum: true` beside `minimum`. */
function readBounds(read: Record<string, unknown>): void {
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof read[exclusive] !== 'boolean') continue;
    if (read[exclusive] && limit in read) {
      read[exclusive] = read[limit];
      delete read[limit];
    } else delete read[exclusive];
  }
}

/** Up to 2019-09 a tuple was a list under `items`, and `additionalItems` what follows it. */
function readTuple(read: Record<string, unknown>): void {
  if (Array.isArray(read['items'])) {
    if (read['items'].length > 0) read['prefixItems'] = read['items'];
    delete read['items'];
    if (read['additionalItems'] !== undefined) read['items'] = read['additionalItems'];
  }
  delete read['additionalItems'];
  if (Array.isArray(read['prefixItems']) && read['prefixItems'].length === 0) delete read['prefixItems'];
  if (read['items'] === true) read['items'] = {};
  if (read['items'] === false) {
    delete read['items'];
    const places = Array.isArray(read['prefixItems']) ? read['prefixItems'].length : 0;
    const most = read['maxItems'];
    read['maxItems'] = typeof most === 'number' ? Math.min(most, places) : places;
  }
}

function readDependencies(read: Record<string, unknown>): void {
  const { dependencies } = read;
  if (!isObject(dependencies)) return;
  delete read['dependencies'];
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, each]) => Array.isArray(each));
  const schemas = entries.filter(([, each]) => !Array.isArray(each));
  if (names.length > 0) read['dependentRequired'] = Object.fromEntries(names);
  if (schemas.length > 0) read['dependentSchemas'] = Object.fromEntries(schemas);
}

function readTypes(types: readonly unknown[]): unknown {
  const distinct = [...new Set(types)].filter(type => type !== 'integer' || !types.includes('number'));
  return distinct.length === 1 ? distinct[0] : distinct;
}

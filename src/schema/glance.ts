/** What the schema of most tools is, an object of single types, judged in one loop and without the judge; it says yes, or nothing. */
import { isObject } from '../basics/json.ts';
import { own } from './own.ts';
import { typeTests } from './type-tests.ts';

/** What a glance at a schema is enough for. */
export interface Glance {
  /** True when the value fits for sure; otherwise the whole schema has to be asked. */
  readonly fits: (value: unknown) => boolean;
  /** The schema as it was then, without what judges nothing. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Keywords that describe, and judge nothing. */
const words = ['$schema', 'title', 'description', 'default', 'examples', 'deprecated', '$comment'];
const ofObject = new Set([...words, 'type', 'properties', 'required', 'additionalProperties']);
const ofProperty = new Set([...words, 'type']);
/** Beyond, looking names up is cheaper than going through them. */
const most = 32;

/** Nothing for a schema of another shape. */
export function glanceOf(schema: unknown): Glance | undefined {
  if (!isObject(schema) || schema['type'] !== 'object' || !hasOnly(schema, ofObject)) return undefined;
  const { properties = {}, required = [], additionalProperties: open = true } = schema;
  if (!isObject(properties) || !Array.isArray(required) || typeof open !== 'boolean') return undefined;
  const names = Object.keys(properties).filter(name => properties[name] !== undefined);
  const tests = names.map(name => testOf(properties[name]));
  if (names.length > most || !required.every(name => names.includes(name))) return undefined;
  if (!tests.every(test => test !== undefined)) return undefined;
  const needed = names.map(name => required.includes(name));
  const known = open ? undefined : new Set(names);
  return {
    fits(value) {
      if (!isObject(value)) return false;
      for (let at = 0; at < names.length; at += 1) {
        const given = own(value, names[at] as string);
        if (given === undefined ? needed[at] : !tests[at]?.(given)) return false;
      }
      return known === undefined || Object.keys(value).every(name => known.has(name));
    },
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map(name => [name, { type: typeOf(properties[name]) }])),
      required: [...required],
      additionalProperties: open,
    },
  };
}

function typeOf(property: unknown): unknown {
  return isObject(property) ? property['type'] : undefined;
}

function testOf(property: unknown): ((value: unknown) => boolean) | undefined {
  if (!isObject(property) || !hasOnly(property, ofProperty)) return undefined;
  const type = typeOf(property);
  return typeof type === 'string' && Object.hasOwn(typeTests, type) ? typeTests[type] : undefined;
}

function hasOnly(schema: object, keywords: ReadonlySet<string>): boolean {
  return Object.keys(schema).every(keyword => keywords.has(keyword));
}

import { describe, expect, it } from 'vitest';
import { familyNames } from './families.ts';
import { providerRules } from './fixtures/provider-rules.ts';
import { projectArguments } from './project-schema.ts';
import { tidyArguments } from './tidy/tidy-arguments.ts';

/** Each definition names the next one several times: written out, that is 4 to the power of 30 schemas. */
const exploding = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `d${at}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          [1, 2, 3, 4].map(each => [`p${each}`, { $ref: `#/$defs/d${(at + 1) % 30}` }]),
        ),
      },
    ]),
  ),
};
/** Every definition leads to every other. */
const tangled = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      {
        anyOf: Array.from({ length: 40 }, (_each, to) => ({
          type: 'object',
          properties: { x: { $ref: `#/$defs/d${to}` } },
        })),
      },
    ]),
  ),
};
const deep = Array.from({ length: 90 }).reduce<object>(a => ({ type: 'object', properties: { a } }), {
  type: 'string',
});
const wide = {
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`p${at}`, { type: 'string' }])),
};
const alternatives = {
  type: 'object',
  properties: {
    a: {
      anyOf: Array.from({ length: 1000 }, (_, at) => ({ type: 'object', properties: { [`p${at}`]: {} } })),
    },
  },
};
const chain = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length: 2000 }, (_, at) => [
      `d${at}`,
      at === 1999 ? {} : { type: 'array', items: { $ref: `#/$defs/d${at + 1}` } },
    ]),
  ),
};
const hostile = { exploding, tangled, deep, wide, alternatives, chain };

describe.each(Object.entries(hostile))('a schema that is %s', (_, schema) => {
  it.each(familyNames)('is cut for %s with a loss, or left out, within bounds', family => {
    const before = process.cpuUsage();
    const projected = projectArguments(schema, family);
    const { user } = process.cpuUsage(before);
    expect(user).toBeLessThan(10_000_000);
    if (!projected.ok) return void expect(projected.reason).toMatch(/\w{3}/);
    expect(JSON.stringify(projected.schema).length).toBeLessThan(3_000_000);
    expect(providerRules[family].parameters(projected.schema, projected.strict)).toEqual([]);
  });
  it('does not hold up the clean-up', () => {
    let args: unknown = null;
    for (let level = 0; level < 200; level += 1) args = { a: args, p1: args, x: '' };
    const before = process.cpuUsage();
    const { value } = tidyArguments({ a: { p1: { p2: null }, x: null }, p0: args }, schema);
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
    expect(value).toBeTypeOf('object');
  });
});

it('says that an exploding schema was cut', () => {
  const projected = projectArguments(exploding, 'gemini');
  expect(projected.ok && projected.losses.map(loss => loss.keyword)).toContain('size');
});

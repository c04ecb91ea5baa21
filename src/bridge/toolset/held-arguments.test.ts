import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import type { ToolContext } from '../../tools/context.ts';
import { holdArguments } from './held-arguments.ts';

const ctx = {} as ToolContext;

describe('held arguments', () => {
  it('are gone from every part of the schema that speaks of the same object, and from no other', () => {
    const schema = {
      type: 'object',
      properties: {
        key: { type: 'string' },
        other: { type: 'object', properties: { key: { type: 'string' } } },
      },
      required: ['key'],
      dependentRequired: { key: ['other'], other: ['key'] },
      anyOf: [{ required: ['key', 'other'] }, { required: ['other'] }],
      if: { properties: { key: { const: 'x' } }, required: ['key'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['other'] },
    } as const;
    const { schema: shown } = holdArguments(schema, { pin: { key: 'x' } });
    expect(shown).toEqual({
      type: 'object',
      properties: { other: { type: 'object', properties: { key: { type: 'string' } } } },
      required: ['other'],
      dependentRequired: { other: [] },
      anyOf: [{ required: ['other'] }, { required: ['other'] }],
      if: { properties: {} },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['other'] },
    });
    expect(() => compileSchema(shown, { root: 'object' })).not.toThrow();
    expect(schema.required).toEqual(['key']);
  });

  it('leave the schema alone where there are none', () => {
    const schema = { type: 'object' } as const;
    expect(holdArguments(schema, {}).schema).toBe(schema);
  });

  it('are sent as they are pinned, whatever the model wrote, and hidden ones only with a default', async () => {
    const schema = {
      type: 'object',
      properties: { a: {}, b: { default: 2 }, c: { default: 3 } },
      required: ['b'],
    } as const;
    const { fill } = holdArguments(schema, { pin: { a: () => 1 }, hide: ['b', 'c'] });
    expect(await fill({ a: 9, b: 9, c: 9, d: 4 }, ctx)).toEqual({ d: 4, b: 2, a: 1 });
  });

  it('may have the names that objects have by themselves', async () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    const { fill, schema: shown } = holdArguments(schema, { hide: ['__proto__', 'constructor'] });
    expect(shown).toEqual({ type: 'object', properties: {} });
    expect(await fill(JSON.parse('{"__proto__":"x","a":1}'), ctx)).toEqual({ a: 1 });
  });
});

const two = { a: { type: 'string' }, b: { type: 'string' } };

describe('a pinned argument is not asked for, and a call with it is one that the server takes, where', () => {
  it.each([
    [
      'it stands behind a reference',
      { $ref: '#/$defs/r', $defs: { r: { ...needing(two), additionalProperties: false } } },
    ],
    ['it stands in a part', { type: 'object', allOf: [needing(two)] }],
    [
      'it stands behind a reference in a part',
      { allOf: [{ $ref: '#/definitions/r' }], definitions: { r: needing(two) } },
    ],
    ['members are counted', { ...needing(two), minProperties: 2, maxProperties: 2 }],
    ['another argument needs it', { type: 'object', properties: two, dependentRequired: { b: ['a'] } }],
    [
      'another argument is like it',
      needing({ a: { type: 'string', enum: ['PIN', 'B'] }, b: { $ref: '#/properties/a' } }),
    ],
    [
      'it chooses among alternatives',
      {
        oneOf: [
          needing({ a: { const: 'PIN' }, b: { const: 'B' } }),
          needing({ a: { const: 'other' }, b: { type: 'string' } }),
        ],
      },
    ],
  ])('%s', async (_where, schema) => {
    const held = holdArguments(schema, { pin: { a: 'PIN' } });
    const shown = compileSchema(held.schema, { root: 'object' });
    expect((await shown.validate({ b: 'B' })).ok).toBe(true);
    expect(await held.fill({ b: 'B', a: 'MODEL' }, ctx)).toEqual({ a: 'PIN', b: 'B' });
    const whole = compileSchema(schema, { root: 'object' });
    expect((await whole.validate({ a: 'PIN', b: 'B' })).ok).toBe(true);
  });

  it('the schema describes itself: the inner ones have it still', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, inner: { $ref: '#' } },
      required: ['a'],
    };
    const held = holdArguments(schema, { pin: { a: 'PIN' } });
    const shown = compileSchema(held.schema, { root: 'object' });
    expect((await shown.validate({ inner: { inner: { a: 'x' } } })).ok).toBe(false);
    expect((await shown.validate({ inner: { a: 'x' } })).ok).toBe(true);
    expect(held.schema['properties']).not.toHaveProperty('a');
  });
});

it('a value that is made for each call leaves open which of two alternatives, or which condition, it fits', async () => {
  const schema = {
    oneOf: ['PIN', 'other'].map(value => needing({ a: { const: value }, b: { type: 'string' } })),
    not: { properties: { a: { const: 'other' } } },
    if: { properties: { a: { const: 'other' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['c'] },
  };
  const held = holdArguments(schema, { pin: { a: () => 'PIN' } });
  const shown = compileSchema(held.schema, { root: 'object' });
  expect((await shown.validate({ b: 'B' })).ok).toBe(true);
  expect((await shown.validate({ b: 5 })).ok).toBe(false);
  expect(await held.fill({ b: 'B' }, ctx)).toEqual({ a: 'PIN', b: 'B' });
});

describe('what cannot be held is refused before any call', () => {
  it.each([
    [
      'a hidden one that a part requires',
      { allOf: [needing(two)] },
      { hide: ['a'] },
      /"a" cannot be hidden.*required.*pin it/,
    ],
    [
      'a hidden one behind a reference',
      { $ref: '#/$defs/r', $defs: { r: needing(two) } },
      { hide: ['a'] },
      /"a" cannot be hidden/,
    ],
    [
      'a hidden one that another needs',
      { properties: two, dependentRequired: { b: ['a'] } },
      { hide: ['a'] },
      /"b" requires it/,
    ],
    [
      'a hidden one in every alternative',
      { anyOf: [needing(two)] },
      { hide: ['a'] },
      /no call fits its "anyOf"/,
    ],
    ['a value of another type', needing(two), { pin: { a: 5 } }, /pinned for "a" does not fit/],
    [
      'a value of another type behind a reference',
      { $ref: '#/$defs/r', $defs: { r: needing(two) } },
      { pin: { a: 5 } },
      /pinned for "a"/,
    ],
    [
      "a name that is not the tool's",
      needing(two),
      { pin: { zz: 5 } },
      /no argument "zz" to pin; its arguments are a, b/,
    ],
    [
      'a reference that is found by a name',
      { $ref: '#r', $defs: { r: { $anchor: 'r' } }, properties: two },
      { pin: { a: 'x' } },
      /not followed/,
    ],
  ])('%s', (_what, schema, adjustment, reason) => {
    expect(() => holdArguments(schema, adjustment)).toThrow(reason);
  });

  it('but a name that many tools are asked for is passed over where a tool has no such argument', async () => {
    const held = holdArguments(needing(two), { pin: { zz: 5 }, hide: ['yy'] }, true);
    expect(held.unknown).toEqual(['zz', 'yy']);
    expect(await held.fill({ a: 'x', b: 'y', zz: 6 }, ctx)).toEqual({ a: 'x', b: 'y' });
  });

  it('and a value that a function makes of the wrong type is not sent', async () => {
    const held = holdArguments(needing(two), { pin: { a: () => 5 } });
    await expect(held.fill({ b: 'B' }, ctx)).rejects.toThrow(/pinned argument "a" does not fit/);
    const together = holdArguments(
      { ...needing(two), not: { properties: { b: { const: 'B' } } } },
      { pin: { a: () => 'x' } },
    );
    await expect(together.fill({ b: 'B' }, ctx)).rejects.toThrow(/was not sent/);
  });
});

describe('whatever the schema', () => {
  const values = [undefined, 'x', 3];
  const member = fc.constantFrom(
    {},
    { type: 'string' },
    { const: 'x' },
    { enum: ['x', 3] },
    { $ref: '#/$defs/m' },
    false,
  );
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
  const leaves = {
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), member, { noNullPrototype: true }),
    required: names,
    dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), names, { noNullPrototype: true, maxKeys: 1 }),
    minProperties: fc.integer({ min: 0, max: 3 }),
    maxProperties: fc.integer({ min: 1, max: 3 }),
    additionalProperties: fc.constantFrom(false, { type: 'string' }),
    $ref: fc.constant('#/$defs/part'),
  };
  const parts = (depth: number): fc.Arbitrary<Record<string, unknown>> => {
    if (depth === 0) return fc.record(leaves, { requiredKeys: [], noNullPrototype: true });
    const inner = parts(depth - 1);
    const branches = {
      allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
      oneOf: fc.array(inner, { minLength: 2, maxLength: 2 }),
      not: inner,
      if: inner,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: inner,
    };
    return fc.record({ ...leaves, ...branches }, { requiredKeys: [], noNullPrototype: true });
  };
  const part = parts(1);
  const definition = fc.record(
    {
      properties: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom({ type: 'string' }, {})),
      required: names,
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  const pin = fc.constantFrom<Record<string, unknown>>({ a: 'x' }, { a: 3 }, { a: () => 'x' }, {});

  it('nothing is sent that the server would refuse, and nothing refused that it would take', async () => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(part, definition, pin, fc.boolean(), async (root, part0, pinned, hides) => {
        const schema = { type: 'object', ...root, $defs: { m: { enum: ['x', 'y'] }, part: part0 } };
        const adjustment = { pin: pinned, ...(hides ? { hide: ['c'] } : {}) };
        let outcome: ReturnType<typeof holdArguments>;
        try {
          compileSchema(schema, { root: 'object' });
          outcome = holdArguments(schema, adjustment, true);
        } catch {
          return;
        }
        const shown = compileSchema(outcome.schema, { root: 'object' });
        const whole = compileSchema(schema, { root: 'object' });
        const sentValue =
          Object.hasOwn(pinned, 'a') && !outcome.unknown.includes('a')
            ? { a: pinned['a'] === 3 ? 3 : 'x' }
            : {};
        for (const b of values) {
          for (const c of hides ? [undefined] : values) {
            const free = Object.keys(sentValue).length > 0 || 'a' in pinned ? [undefined] : values;
            for (const a of free) {
              const own = Object.fromEntries(
                Object.entries({ a, b, c }).filter(([, value]) => value !== undefined),
              );
              const isTaken = (await whole.validate({ ...own, ...sentValue })).ok;
              const isShown = (await shown.validate(own)).ok;
              if (isTaken) expect(isShown, JSON.stringify({ schema, own, shown: outcome.schema })).toBe(true);
              const filled = await Promise.resolve(outcome.fill(own, ctx)).catch(() => undefined);
              const holds = Object.keys(pinned).length > 0 || hides;
              if (filled !== undefined && holds) expect((await whole.validate(filled)).ok).toBe(true);
              held += 1;
            }
          }
        }
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(held).toBeGreaterThan(500);
  });
});

function needing(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties) };
}

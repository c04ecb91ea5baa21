import { describe, expect, it } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import type { ToolContext } from '../tools/context.ts';
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
    const { schema: shown } = holdArguments(schema, { pin: { key: 1 } });
    expect(shown).toEqual({
      type: 'object',
      properties: { other: { type: 'object', properties: { key: { type: 'string' } } } },
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

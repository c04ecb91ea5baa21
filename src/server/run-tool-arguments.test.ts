import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serve } from '../../test/fixtures/serve-tools.ts';
import { introductions, served, textOf } from '../../test/fixtures/served.ts';
import type { Schema } from '../schema/schema.ts';
import { tool } from '../tools/tool.ts';
import { Server } from './server.ts';

const libraries: readonly [string, Schema][] = [
  [
    'plain JSON Schema',
    {
      type: 'object',
      properties: { limit: { type: 'number' }, note: { type: 'string' } },
      required: ['limit'],
    },
  ],
  ['zod', z.object({ limit: z.number(), note: z.string().optional() })],
  [
    'valibot',
    toStandardJsonSchema(v.object({ limit: v.number(), note: v.optional(v.string()) })) as unknown as Schema,
  ],
  ['arktype', type({ limit: 'number', 'note?': 'string' }) as unknown as Schema],
];

describe.each(libraries)('arguments described by %s', (_library, input) => {
  const { client } = serve([tool({ name: 'it', description: '', input, run: args => ({ got: args }) })]);

  it('are listed as JSON Schema, without a dialect', async () => {
    const [listed] = (await client.ask('tools/list')).result?.tools ?? [];
    expect(listed?.['inputSchema']).toMatchObject({
      type: 'object',
      properties: { limit: { type: 'number' }, note: { type: 'string' } },
      required: ['limit'],
    });
    expect(listed?.['inputSchema']).not.toHaveProperty('$schema');
  });

  it('reach the tool when they fit', async () => {
    expect((await client.call('it', { limit: 3 })).result?.structuredContent).toEqual({ got: { limit: 3 } });
  });

  it('are refused when they do not, naming the tool and the place', async () => {
    const answer = await client.call('it', { limit: 'ten' });
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^The arguments of it do not fit its schema\. "limit" /);
  });

  it('are refused with null for an optional member, which is not the same as none', async () => {
    const answer = await client.call('it', { limit: 3, note: null });
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toContain('"note"');
  });
});

describe.each(introductions)('the arguments of a call (%s)', how => {
  const input = { type: 'object', properties: { a: { type: 'number' } } } as const;
  const echo = tool({ name: 'it', description: '', input, run: args => ({ args }) });
  const client = served(new Server({ name: 's', version: '1', tools: [echo] }), how);

  it.each([
    ['absent', { name: 'it' }],
    ['null', { name: 'it', arguments: null }],
    ['an empty object', { name: 'it', arguments: {} }],
  ])('count as none when they are %s', async (_what, params) => {
    expect((await client.ask('tools/call', params)).result?.structuredContent).toEqual({ args: {} });
  });

  it.each<[unknown, string]>([
    [[], 'an array of 0 items'],
    ['{}', '"{}"'],
    [7, '7'],
    [true, 'true'],
  ])('are an error of the protocol when they are %j', async (args, shown) => {
    expect((await client.ask('tools/call', { name: 'it', arguments: args })).error).toEqual({
      code: -32602,
      message: `arguments must be an object, got ${shown}`,
    });
  });

  it.each([[undefined], [null], [7], [{}]])('are of no use when the name is %j', async name => {
    expect((await client.ask('tools/call', { name })).error).toMatchObject({ code: -32602 });
  });

  it('keep what the schema does not forbid', async () => {
    const { result } = await client.call('it', { a: 1, more: [2] });
    expect(result?.structuredContent).toEqual({ args: { a: 1, more: [2] } });
  });
});

describe('arguments', () => {
  it('may be judged asynchronously, and reach the tool after their transforms', async () => {
    const input = z.object({ n: z.string().transform(async value => Number(value)) });
    const { client } = serve([tool({ name: 'it', description: '', input, run: ({ n }) => String(n + 1) })]);
    expect(textOf(await client.call('it', { n: '41' }))).toBe('42');
    expect((await client.call('it', { n: 41 })).result?.isError).toBe(true);
  });

  it('whose schema itself fails are a fault of ours, which is reported and hidden', async () => {
    const input = z.object({}).refine(() => {
      throw new Error('broken schema');
    });
    const { client, faults } = serve([tool({ name: 'it', description: '', input, run: () => '' })]);
    expect((await client.call('it')).error).toMatchObject({ code: -32603 });
    expect(String(faults[0]?.cause)).toContain('broken schema');
  });

  it('are checked before the tool runs', async () => {
    let runs = 0;
    const input = { type: 'object', required: ['a'] } as const;
    const { client } = serve([
      tool({
        name: 'it',
        description: '',
        input,
        run: () => {
          runs += 1;
          return '';
        },
      }),
    ]);
    await client.call('it', {});
    expect(runs).toBe(0);
  });
});

import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { ToolContext } from './context.ts';
import { type AnyTool, tool } from './tool.ts';

describe('tool() infers', () => {
  it('arguments from plain JSON Schema', () => {
    tool({
      name: 'a',
      description: '',
      input: {
        type: 'object',
        properties: { n: { type: 'integer' }, s: { type: 'string' }, mode: { enum: ['x', 'y'] } },
        required: ['n'],
        additionalProperties: false,
      },
      run(args) {
        expectTypeOf(args).toEqualTypeOf<{ n: number; s?: string; mode?: 'x' | 'y' }>();
        return 'x';
      },
    });
  });
  it('arguments from a zod schema, after its transforms', () => {
    tool({
      name: 'a',
      description: '',
      input: z.object({ n: z.string().transform(Number) }),
      run(args) {
        expectTypeOf(args).toEqualTypeOf<{ n: number }>();
        return { content: [] };
      },
    });
  });
  it('no arguments when there is no input', () => {
    tool({
      name: 'a',
      description: '',
      run: (args, ctx) => {
        expectTypeOf(args).toEqualTypeOf<{}>();
        expectTypeOf(ctx.deps).toEqualTypeOf<unknown>();
        return undefined;
      },
    });
  });
  it('refuses a tool with needs where none are met', () => {
    const needy = tool({
      name: 'a',
      description: '',
      input: { type: 'object', properties: { q: { type: 'string' } } },
      run: (_args, ctx: ToolContext<{ db: string }>) => ctx.deps.db,
    });
    expectTypeOf(needy).not.toExtend<AnyTool>();
    expectTypeOf(needy).toExtend<AnyTool<{ db: string; more: number }>>();
    const plain = tool({ name: 'b', description: '', run: () => 'x' });
    expectTypeOf(plain).toExtend<AnyTool>();
    expectTypeOf(plain).toExtend<AnyTool<{ db: string }>>();
  });
  it('what run may give back, in time or later', () => {
    const of = { name: 'a', description: '' };
    interface Row {
      readonly n: number;
    }
    class Table {
      rows: readonly Row[] = [];
    }
    const row: Row = { n: 1 };
    tool({ ...of, run() {} });
    tool({ ...of, async run() {} });
    for (const value of [{ n: 1 }, row] as const) {
      tool({ ...of, run: () => value });
      tool({ ...of, run: async () => value });
    }
    tool({ ...of, run: () => [row] });
    tool({ ...of, run: async () => new Table() });
    tool({ ...of, run: (_, ctx) => (ctx.signal.aborted ? 'text' : undefined) });
    tool({ ...of, run: async (_, ctx) => (ctx.signal.aborted ? 'text' : undefined) });
  });
  it('refuses a number, a boolean and null, in time or later', () => {
    const of = { name: 'a', description: '' };
    // @ts-expect-error without output, a number is not a result
    tool({ ...of, run: () => 1 });
    // @ts-expect-error nor is it later
    tool({ ...of, run: async () => 1 });
    // @ts-expect-error a boolean is not a result
    tool({ ...of, run: () => true });
    // @ts-expect-error nor is it later
    tool({ ...of, run: async () => true });
    // @ts-expect-error null is not a result
    tool({ ...of, run: () => null });
    // @ts-expect-error nor is it later
    tool({ ...of, run: async () => null });
    // @ts-expect-error nothing does not fit a declared output
    tool({ ...of, output: z.object({ n: z.number() }), async run() {} });
  });
  it('checks what run gives back against output', () => {
    tool({ name: 'a', description: '', output: z.object({ n: z.number() }), run: () => ({ n: 1 }) });
    // @ts-expect-error the declared output is a number
    tool({ name: 'a', description: '', output: z.object({ n: z.number() }), run: () => ({ n: 'x' }) });
  });
});

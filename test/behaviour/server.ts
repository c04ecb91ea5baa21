/** The server that the behaviour suite talks to: one tool per behaviour, written without a thought of eras. */
import { Server } from '../../src/server/server.ts';
import { image, text } from '../../src/tools/content.ts';
import { type AnyTool, tool } from '../../src/tools/tool.ts';
import { ToolError } from '../../src/tools/tool-error.ts';

/** How often `ask_twice` began, went through its `finally`, and had its effect. */
export interface Counters {
  started: number;
  tidied: number;
  effects: number;
}

const nothing = { type: 'object', properties: {}, additionalProperties: false } as const;
const form = { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] } as const;

export function behaviourTools(counters: Counters): readonly AnyTool[] {
  return [
    tool({
      name: 'echo',
      description: 'Says what it is told',
      input: {
        type: 'object',
        properties: { value: { type: 'string' } },
        required: ['value'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
      run: ({ value }) => value,
    }),
    tool({
      name: 'add',
      description: 'Adds two numbers',
      input: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      run: ({ a, b }) => ({ sum: a + b }),
    }),
    tool({
      name: 'blocks',
      description: 'Gives several kinds of content',
      run: () => [text('one'), image('AAAA', 'image/png')],
    }),
    tool({
      name: 'refuse',
      description: 'Fails in a way that can be corrected',
      run: () => {
        throw new ToolError('try a smaller number', { data: { limit: 3 } });
      },
    }),
    tool({
      name: 'break',
      description: 'Fails unexpectedly',
      run: () => {
        throw new Error('the password=hunter2222 was wrong\nsecond line');
      },
    }),
    tool({
      name: 'steps',
      description: 'Reports progress before it answers',
      run: (_args, ctx) => {
        ctx.progress(1, { total: 2, message: 'half' });
        ctx.progress(2, { total: 2 });
        ctx.progress(2, { total: 2, message: 'does not grow' });
        return 'done';
      },
    }),
    tool({
      name: 'logs',
      description: 'Logs before it answers',
      run: (_args, ctx) => {
        ctx.log('debug', 'quiet');
        ctx.log('warning', { loud: true }, 'behaviour');
        return 'done';
      },
    }),
    tool({
      name: 'wait',
      description: 'Waits until it is cancelled, and says so on stderr',
      run: (_args, ctx) =>
        new Promise<string>((_resolve, reject) => {
          ctx.progress(1, { message: 'waiting' });
          ctx.signal.addEventListener('abort', () => {
            counters.tidied += 1;
            reject(ctx.signal.reason);
          });
        }),
    }),
    tool({
      name: 'counters',
      description: 'Tells the counters',
      run: () => ({ ...counters }),
    }),
    tool({
      name: 'ask_twice',
      description: 'Asks two questions at once, then a third, with an effect between them',
      input: nothing,
      async run(_args, ctx) {
        counters.started += 1;
        try {
          const [first, second] = await Promise.all([
            ctx.elicit('first', { message: 'first?', requestedSchema: form }),
            ctx.elicit('second', { message: 'second?', requestedSchema: form }),
          ]);
          await ctx.once('effect', () => {
            counters.effects += 1;
            return 'done';
          });
          const third = await ctx.elicit('third', { message: 'third?', requestedSchema: form });
          return [first, second, third].map(answer => String(answer.content?.['value'])).join(' ');
        } finally {
          counters.tidied += 1;
        }
      },
    }),
    tool({
      name: 'who',
      description: 'Tells who is calling',
      run: (_args, ctx) => ({ info: ctx.client.info, roots: 'roots' in ctx.client.capabilities }),
    }),
  ];
}

export function behaviourServer(counters: Counters = { started: 0, tidied: 0, effects: 0 }): Server {
  return new Server({
    name: 'behaviour',
    version: '1.2.3',
    title: 'Behaviour',
    instructions: 'Use the tools.',
    tools: behaviourTools(counters),
    pageSize: 4,
    onFault: () => {},
  });
}

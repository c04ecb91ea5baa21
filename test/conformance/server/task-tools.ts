/** Tools that may or must run as tasks: slow, failing, asking, and one that asks before its task begins. */
import { setTimeout as wait } from 'node:timers/promises';
import { ProtocolError, type ToolContext, ToolError, tool } from 'tenon/server';

const yesOrNo = {
  type: 'object',
  properties: { confirm: { type: 'boolean' } },
  required: ['confirm'],
} as const;

async function confirmed(ctx: ToolContext, key: string, message: string): Promise<boolean> {
  const { action, content } = await ctx.elicit(key, { message, requestedSchema: yesOrNo });
  return action === 'accept' && content?.['confirm'] !== false;
}

export const taskTools = [
  tool({
    name: 'greet',
    description: 'Greets by name, at once.',
    input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    run: ({ name }) => `Hello, ${name}!`,
  }),
  tool({
    name: 'slow_compute',
    description: 'Takes as many seconds as it is told.',
    task: 'allowed',
    input: {
      type: 'object',
      properties: { seconds: { type: 'number' }, label: { type: 'string' } },
    },
    run: async ({ seconds = 0, label = 'work' }, ctx) => {
      await wait(seconds * 1000, undefined, { signal: ctx.signal });
      return `${label}: done after ${seconds} s`;
    },
  }),
  tool({
    name: 'failing_job',
    description: 'Fails in a way that the caller can read.',
    task: 'required',
    run: () => {
      throw new ToolError('the job failed');
    },
  }),
  tool({
    name: 'protocol_error_job',
    description: 'Fails with an error of the protocol.',
    task: 'required',
    run: () => {
      throw new ProtocolError(-32603, 'the job could not be run');
    },
  }),
  tool({
    name: 'confirm_delete',
    description: 'Asks before it deletes a file.',
    task: 'allowed',
    input: { type: 'object', properties: { filename: { type: 'string' } }, required: ['filename'] },
    run: async ({ filename }, ctx) =>
      (await confirmed(ctx, 'confirm', `Delete ${filename}?`)) ? `${filename} deleted` : `${filename} kept`,
  }),
  tool({
    name: 'multi_input',
    description: 'Asks two things at the same time.',
    task: 'allowed',
    run: async (_args, ctx) => {
      const answers = await Promise.all([
        confirmed(ctx, 'first', 'The first?'),
        confirmed(ctx, 'second', 'The second?'),
      ]);
      return `Answered: ${answers.join(', ')}`;
    },
  }),
  tool({
    name: 'test_tool_with_task',
    description: 'Asks for a name and then goes on as a task.',
    task: 'required',
    taskStart: 'by-tool',
    run: async (_args, ctx) => {
      const { content } = await ctx.elicit('name', {
        message: 'What is your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      await ctx.startTask();
      return `Hello, ${content?.['name']}!`;
    },
  }),
];

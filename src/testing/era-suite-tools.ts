/** The tools of the era suite's server that answer by themselves; written without a thought of eras. */
import { image, text } from '../tools/content.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import type { Happenings } from './happenings.ts';

export function plainTools(happenings: Happenings): readonly AnyTool[] {
  return [
    tool({
      name: 'echo',
      description: 'Says what it is told',
      input: {
        type: 'object',
        properties: { value: { type: 'string', description: 'what to say' } },
        required: ['value'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
      run: ({ value }) => value,
    }),
    tool({
      name: 'add',
      title: 'Sum',
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
      run: () => [text('one'), image('AAAA', 'image/png'), text('two')],
    }),
    tool({
      name: 'refuse',
      description: 'Fails in a way that can be corrected',
      run() {
        throw new ToolError('try a smaller number', { data: { limit: 3 } });
      },
    }),
    tool({
      name: 'crash',
      description: 'Fails unexpectedly',
      run() {
        throw new Error('the password=hunter2222 was wrong\nat line 7 of the secret file');
      },
    }),
    tool({
      name: 'steps',
      description: 'Reports progress before it answers',
      run(_args, { progress }) {
        progress(1, { total: 2, message: 'half' });
        progress(2, { total: 2 });
        progress(2, { total: 2, message: 'does not grow' });
        return 'done';
      },
    }),
    tool({
      name: 'logs',
      description: 'Logs at three levels before it answers',
      run(_args, { log }) {
        log('debug', 'quiet');
        log('info', 'plain');
        log('warning', { loud: true }, 'suite');
        return 'done';
      },
    }),
    tool({
      name: 'who',
      description: 'Tells who is calling',
      run: (_args, { client }) => `${client.info?.name} ${client.info?.version} ${client.revision}`,
    }),
    tool({
      name: 'happened',
      description: 'Answers once something has happened so many times',
      input: {
        type: 'object',
        properties: { name: { type: 'string' }, count: { type: 'integer' } },
        required: ['name', 'count'],
      },
      async run({ name, count }) {
        await happenings.reached(name, count);
        return String(happenings.count(name));
      },
    }),
    tool({
      name: 'count',
      description: 'Says how often something has happened',
      input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      run: ({ name }) => String(happenings.count(name)),
    }),
  ];
}

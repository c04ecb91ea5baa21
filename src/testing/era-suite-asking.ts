/** The tools of the era suite's server that ask the client while they run. */
import type { FormQuestion } from '../tools/question.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import type { Happenings } from './happenings.ts';

const form = { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] } as const;
const question = (message: string): FormQuestion => ({ message, requestedSchema: form });

export function askingTools(happenings: Happenings): readonly AnyTool[] {
  return [
    tool({
      name: 'ask',
      description: 'Asks one question and tells what was done with it',
      run: async (_args, { elicit }) => (await elicit('only', question('only?'))).action,
    }),
    tool({
      name: 'ask_thrice',
      description: 'Asks two questions at once, then a third, with an effect between them',
      async run(_args, { elicit, once }) {
        happenings.note('started');
        try {
          const [first, second] = await Promise.all([
            elicit('first', question('first?')),
            elicit('second', question('second?')),
          ]);
          await once('effect', () => happenings.note('effect'));
          const third = await elicit('third', question('third?'));
          return [first, second, third].map(answer => String(answer.content?.['value'])).join(' ');
        } finally {
          happenings.note('tidied');
        }
      },
    }),
    tool({
      name: 'sample',
      description: 'Asks the model of the client',
      async run(_args, { sample }) {
        const messages = [{ role: 'user', content: { type: 'text', text: 'which tea?' } }] as const;
        const { content, model } = await sample('tea', { messages, maxTokens: 10 });
        return `${model}: ${(content as { text?: string }).text}`;
      },
    }),
    tool({
      name: 'roots',
      description: 'Asks for the folders of the client',
      run: async (_args, { roots }) => (await roots()).map(({ uri }) => uri).join(' '),
    }),
  ];
}

/** The resources and prompts of the era suite's server, and the tools that change them. */
import { type Prompt, prompt } from '../server/prompt.ts';
import { type Resource, resource } from '../server/resource.ts';
import type { Server } from '../server/server.ts';
import { audio, embed, link } from '../tools/content.ts';
import { needInput } from '../tools/need-input.ts';
import type { FormQuestion } from '../tools/question.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import type { Happenings } from './happenings.ts';

const form = { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] } as const;
const question = (message: string): FormQuestion => ({ message, requestedSchema: form });

export const suiteResources: readonly Resource[] = [
  resource({
    uri: 'suite://readme',
    name: 'readme',
    title: 'Read me',
    description: 'A text',
    mimeType: 'text/markdown',
    annotations: { audience: ['user'], priority: 1 },
    size: 7,
    read: () => '# Suite',
  }),
  resource({ uri: 'suite://bytes', name: 'bytes', read: () => Uint8Array.of(0, 1, 255) }),
  resource({
    uri: 'suite://parts',
    name: 'parts',
    read: () => [{ text: 'one' }, { uri: 'suite://parts/2', mimeType: 'image/png', blob: 'AAAA' }],
  }),
  resource({
    uri: 'suite://secret',
    name: 'secret',
    async read({ elicit }) {
      const { content } = await elicit('word', question('word?'));
      return `it is ${content?.['value']}`;
    },
  }),
  resource({
    template: 'suite://notes/{folder}/{+path}',
    name: 'notes',
    read: ({ folder, path }, { uri }) => (folder === 'none' ? undefined : `${folder}: ${path} at ${uri}`),
    complete: {
      folder: ['red', 'green', 'Grey'],
      path: (value, { arguments: others }) => [`${others['folder']}/${value}`],
    },
  }),
];

export const suitePrompts: readonly Prompt[] = [
  prompt({
    name: 'greet',
    title: 'Greeting',
    description: 'Greets somebody',
    arguments: [{ name: 'who', description: 'whom to greet', required: true }, { name: 'how' }],
    complete: {
      who: value => ({ values: Array.from({ length: 120 }, (_none, n) => `${value}${n}`), total: 500 }),
    },
    get: ({ who, how }) => `Say ${how ?? 'hello'} to ${who}.`,
  }),
  prompt({
    name: 'kinds',
    description: 'Has every kind of content',
    get: () => ({
      description: 'all of them',
      messages: [
        { role: 'user', content: embed({ uri: 'suite://readme', text: '# Suite' }) },
        { role: 'assistant', content: link('suite://readme', 'readme') },
        { role: 'user', content: audio('AAAA', 'audio/wav') },
      ],
    }),
  }),
  prompt({
    name: 'asks',
    description: 'Asks first',
    get: async (_args, { elicit }) =>
      `About ${(await elicit('topic', question('topic?'))).content?.['value']}.`,
  }),
];

/** Tools that say of the server's documents that they changed, and one that asks in the explicit form. */
export function documentTools(happenings: Happenings, server: () => Server): readonly AnyTool[] {
  return [
    tool({
      name: 'survey',
      description: 'Asks two things, then a third, and remembers something between them',
      run(_args, { answers, memo }) {
        const { step = 0 } = (memo ?? {}) as { readonly step?: number };
        happenings.note(`survey ${step}`);
        const said = (key: string): unknown => answers.elicit(key)?.content?.['value'];
        if (step === 0) {
          const both = { name: { elicit: question('name?') }, where: { roots: true } } as const;
          return needInput(both, { step: 1 });
        }
        if (step === 1) return needInput({ sure: { elicit: question('sure?') } }, { step: 2 });
        const [root] = answers.roots('where') ?? [];
        return `${said('name')} at ${root?.uri}: ${said('sure')}, step ${step}`;
      },
    }),
    tool({
      name: 'touch',
      description: 'Says that a resource has changed',
      input: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
      run({ uri }) {
        server().changed(uri);
        return 'touched';
      },
    }),
    tool({
      name: 'rearrange',
      description: 'Takes a resource and a prompt away',
      run() {
        server().update({ resources: suiteResources.slice(1), prompts: suitePrompts.slice(1) });
        return 'rearranged';
      },
    }),
  ];
}

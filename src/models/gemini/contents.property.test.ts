import fc from 'fast-check';
import { describe, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import { audio, type Content, embed, image, link, text } from '../../tools/content.ts';
import type { ModelMessage } from '../model.ts';
import { toContents } from './contents.ts';
import type { RequestContent } from './request.ts';
import { replaceSignatures, signCalls } from './signatures.ts';

const projection = projectTools([], 'gemini');
const id = fc.constantFrom('1', '2', '3', '');
const words = fc.constantFrom('', ' ', 'a', 'words');
const block: fc.Arbitrary<Content> = fc.constantFrom(
  text(''),
  text('a'),
  image('AAAA', 'image/png'),
  image('', 'image/png'),
  audio('AAAA', 'audio/wav'),
  link('file:///a', 'a'),
  embed({ uri: 'file:///b', blob: 'AAAA', mimeType: 'application/pdf' }),
  { type: 'hologram' } as unknown as Content,
);
const content = fc.oneof(words, fc.array(block, { maxLength: 3 }));
const toolCall = fc.record({
  id,
  name: fc.constantFrom('add', 'look.up'),
  arguments: fc.constantFrom('', '{}', '{"a":1}', '{"a"'),
});
const item = fc.oneof(
  fc.record({ text: words, thought: fc.constant(true) }),
  fc.record({ text: words, thoughtSignature: fc.constant('c2ln') }),
  fc.record({ functionCall: fc.record({ name: fc.constantFrom('add', 'look.up'), args: fc.constant({}) }) }),
  fc.constantFrom({}, null, 'text'),
);
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: words }),
  fc.record({ role: fc.constant('user' as const), content }),
  fc.record(
    {
      role: fc.constant('assistant' as const),
      content: words,
      toolCalls: fc.array(toolCall, { maxLength: 3 }),
      replay: fc.record({
        provider: fc.constantFrom('gemini', 'openai'),
        items: fc.array(item, { maxLength: 3 }),
      }),
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record({
    role: fc.constant('tool' as const),
    toolCallId: id,
    toolName: fc.constant('add'),
    content,
    isError: fc.boolean(),
  }),
);

/** What the API says of contents; the first rule that is broken. */
function brokenRule(contents: readonly RequestContent[]): string | undefined {
  if (contents[0]?.role !== 'user') return 'a user begins';
  for (const [at, { role, parts }] of contents.entries()) {
    const names = namesOf(parts, 'functionCall');
    const answered = namesOf(contents[at + 1]?.parts ?? [], 'functionResponse');
    if (parts.length === 0 || parts.some(isEmpty)) return 'nothing is empty';
    if (role === 'user' && names.length > 0) return 'only the model calls';
    if (JSON.stringify(names) !== JSON.stringify(answered)) return 'calls are answered next, in their order';
    const answers = namesOf(parts, 'functionResponse').length;
    if (answers > 0 && (role !== 'user' || answers !== parts.length)) return 'answers stand alone';
    if (role === contents[at - 1]?.role && !isAfterAnswers(contents, at)) return 'roles alternate';
  }
  return undefined;
}

function namesOf(parts: RequestContent['parts'], kind: 'functionCall' | 'functionResponse'): unknown[] {
  return parts.flatMap(part => {
    const about = (part as Readonly<Record<string, { readonly name: unknown } | undefined>>)[kind];
    return about === undefined ? [] : [about.name];
  });
}

/** A signature is something. */
function isEmpty(part: object): boolean {
  const { text: said, thoughtSignature } = part as { text?: string; thoughtSignature?: string };
  return Object.keys(part).length === 0 || (said === '' && thoughtSignature === undefined);
}

function isAfterAnswers(contents: readonly RequestContent[], at: number): boolean {
  return namesOf(contents[at - 1]?.parts ?? [], 'functionResponse').length > 0;
}

describe('whatever the conversation, its contents keep the rules of the API', () => {
  const history = fc.array(message, { maxLength: 12 });

  it('as they are', () => {
    fc.assert(
      fc.property(history, fc.boolean(), (messages, takesMedia) => {
        const broken = brokenRule(toContents(messages, { projection, takesMedia }));
        if (broken !== undefined) throw new Error(broken);
      }),
      { numRuns: 2000 },
    );
  });

  it('with every turn that calls signed, and with signatures replaced', () => {
    fc.assert(
      fc.property(history, messages => {
        const contents = toContents(messages, { projection, takesMedia: true });
        for (const changed of [signCalls(contents), replaceSignatures(contents)]) {
          const broken = brokenRule(changed);
          if (broken !== undefined) throw new Error(broken);
          const calling = changed.flatMap(({ parts }) => parts.find(part => 'functionCall' in part) ?? []);
          if (!calling.every(part => 'thoughtSignature' in part)) throw new Error('a call is not signed');
        }
      }),
      { numRuns: 1000 },
    );
  });
});

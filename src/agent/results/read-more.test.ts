import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage, ToolMessage } from '../../models/model.ts';
import { scripted } from '../../testing/scripted.ts';
import { image, text } from '../../tools/content.ts';
import { tool } from '../../tools/tool.ts';
import { isToolError } from '../../tools/tool-error.ts';
import { Agent } from '../agent.ts';
import { loadHistory, saveHistory } from '../history/saved-history.ts';
import { findArtifact } from './artifacts.ts';
import { presentResult } from './present-result.ts';
import { readMore } from './read-more.ts';

const items = Array.from({ length: 3000 }, (_, id) => ({ id, words: 'a few words of this row' }));
const options = { name: 'read_more', maxTokens: 2000 };

function result(content: ToolMessage['content'], more: Partial<ToolMessage> = {}): ToolMessage {
  return { role: 'tool', toolCallId: 'call_1', toolName: 'rows', content, ...more };
}

function handleIn(shown: unknown): string | undefined {
  return /the handle ("[^"]+")/.exec(JSON.parse(JSON.stringify(shown)) as string)?.[1]?.slice(1, -1);
}

/** All pages from the first showing on. */
function pages(message: ToolMessage): readonly string[] {
  const first = presentResult(message, { maxTokens: options.maxTokens, readMore: 'read_more' }).content;
  const all = [first as string];
  for (let handle = handleIn(first); handle !== undefined; ) {
    const { content } = readMore([message], handle, options);
    const said = content.map(block => (block.type === 'text' ? block.text : '')).join('\n');
    expect(said.length / 4).toBeLessThanOrEqual(options.maxTokens);
    all.push(said);
    handle = handleIn(said);
  }
  return all;
}

describe('reading on', () => {
  it('gives the rest of an array in whole items, page by page, and says when it ends', () => {
    const all = pages(result(JSON.stringify(items)));
    expect(all.length).toBeGreaterThan(10);
    expect(all.flatMap(page => JSON.parse(page.split('\n')[0] ?? '') as unknown[])).toEqual(items);
    expect(all.at(-1)).toContain('[That is the end of this result.]');
  });

  it('goes on to the parts behind, and shows a picture as one', () => {
    const picture = image('AA==', 'image/png');
    const message = result([text('a'.repeat(9000)), picture, text('b'.repeat(20))]);
    const { content } = readMore([message], 'call_1#0@8000', options);
    expect(content).toEqual([
      text('a'.repeat(1000)),
      picture,
      text('b'.repeat(20)),
      text('[That is the end of this result.]'),
    ]);
  });

  it('reads structured data too', () => {
    const message = result('3000 rows', { structuredContent: { rows: items } });
    const { content } = readMore([message], 'call_1#1', options);
    expect((content[0] as { text: string }).text).toMatch(/^\{"rows":\[\{"id":0/);
  });

  it.each(['', 'call_1', 'call_2#0', 'call_1#7', 'call_1#0@x', 'call_1#-1', '#0'])(
    'refuses the handle %j in a way the model can mend',
    handle => {
      expect(() => readMore([result('a')], handle, options)).toThrow(/There is nothing at the handle/);
      try {
        readMore([result('a')], handle, options);
      } catch (error) {
        expect(isToolError(error)).toBe(true);
      }
    },
  );

  it('does not give what is not meant for the model', () => {
    const message = result([text('secret', { annotations: { audience: ['user'] } }), text('b')]);
    expect(() => readMore([message], 'call_1#0', options)).toThrow(/nothing at the handle/);
  });

  it('loses nothing, and stays within the budget, whatever the parts are', () => {
    const words = fc.integer({ min: 1, max: 6000 }).map(length => 'word '.repeat(length).slice(0, length));
    const lines = fc.integer({ min: 1, max: 900 }).map(count => 'line\n'.repeat(count));
    const list = fc.integer({ min: 1, max: 600 }).map(count => JSON.stringify(items.slice(0, count)));
    const block = fc
      .tuple(fc.oneof(words, lines, list), fc.constantFrom(undefined, 0, 0.5, 1))
      .map(([said, priority]) => text(said, priority === undefined ? {} : { annotations: { priority } }));
    void fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 256, max: 4000 }),
        (blocks, maxTokens) => {
          const message = result(blocks);
          const first = presentResult(message, { maxTokens, readMore: 'read_more' }).content;
          expect(String(first).length / 4).toBeLessThanOrEqual(maxTokens);
          let said = '';
          for (let handle: string | undefined = 'call_1#0'; handle !== undefined; ) {
            const { content } = readMore([message], handle, { name: 'read_more', maxTokens });
            const page = content.map(part => (part.type === 'text' ? part.text : ''));
            expect(page.join('\n').length / 4).toBeLessThanOrEqual(maxTokens);
            said += page.slice(0, -1).join('');
            handle = handleIn(page.at(-1));
          }
          // Cuts fall on commas, line ends and brackets, which are not told again; everything else is.
          const bare = (value: string): string => value.replace(/[[\],\n]/g, '');
          expect(bare(said)).toBe(bare(blocks.map(part => part.text).join('')));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('goes on in all that is behind it where the budget is another than that of the cut', () => {
    const message = result([text('a'.repeat(9000)), text('b'.repeat(9000))]);
    const { content } = readMore([message], 'call_1#1@8990+', { name: 'read_more', maxTokens: 50_000 });
    expect(content).toEqual([text('b'.repeat(10)), text('[That is the end of this result.]')]);
  });

  it('does not fail beyond the end', () => {
    expect(readMore([result('abc')], 'call_1#0@99', options).content).toHaveLength(2);
  });
});

describe('in a run', () => {
  const rows = tool({ name: 'rows', description: '', run: () => items });
  const readOn = (messages: readonly ModelMessage[]): string => {
    const last = messages.at(-1)?.content;
    const [, handle] = /the handle "([^"]+)"/.exec(typeof last === 'string' ? last : '') ?? [];
    return handle ?? expect.fail('there is no handle');
  };
  const names = (request: { tools?: readonly { name: string }[] } | undefined): string[] =>
    (request?.tools ?? []).map(spec => spec.name);

  it('the tool is there once something was cut, reads from the transcript, and the transcript keeps all', async () => {
    const model = scripted([
      { toolCalls: [{ name: 'rows' }] },
      ({ messages }) => ({ toolCalls: [{ name: 'read_more', arguments: { handle: readOn(messages) } }] }),
      'done',
    ]);
    const agent = new Agent({ model, tools: [rows], maxResultTokens: 2000 });
    const { messages } = await agent.run('go');
    expect(model.requests.map(names)).toEqual([['rows'], ['read_more', 'rows'], ['read_more', 'rows']]);
    expect(messages[2]).toMatchObject({ content: JSON.stringify(items), structuredContent: items });
    const second = model.requests[2]?.messages.at(-1)?.content as string;
    const [page = ''] = second.split('\n');
    expect(JSON.parse(page)).toContainEqual(items[200]);
    expect(JSON.stringify(model.requests[1]?.messages).length).toBeLessThan(10_000);
  });

  it('goes on in another process from a saved conversation', async () => {
    const first = scripted([{ toolCalls: [{ name: 'rows' }] }, 'done']);
    const { messages } = await new Agent({ model: first, tools: [rows], maxResultTokens: 2000 }).run('go');
    const history = loadHistory(saveHistory(messages));
    const shown = first.requests[1]?.messages ?? [];
    const model = scripted([
      { toolCalls: [{ name: 'read_more', arguments: { handle: readOn(shown) } }] },
      'done',
    ]);
    const again = await new Agent({ model, maxResultTokens: 2000 }).run('more', { history });
    expect(names(model.requests[0])).toEqual(['read_more']);
    expect(again.messages.at(-2)).toMatchObject({ role: 'tool', toolName: 'read_more' });
    expect(again.messages.at(-2)).not.toHaveProperty('isError');
  });

  it('takes another name when a tool has it already', async () => {
    const own = tool({ name: 'read_more', description: 'own', run: () => 'own result' });
    const model = scripted([
      { toolCalls: [{ name: 'rows' }] },
      { toolCalls: [{ name: 'read_more' }] },
      'done',
    ]);
    const agent = new Agent({ model, tools: [rows, own], maxResultTokens: 2000 });
    const { messages } = await agent.run('go');
    expect(names(model.requests[1])).toEqual(['read_more_2', 'rows', 'read_more']);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('Read on with read_more_2');
    expect(messages.at(-2)?.content).toBe('own result');
  });

  it('reads the result it was cut from where the model gives each call the same id, also of an earlier run', async () => {
    const lines = (word: string): string => Array.from({ length: 900 }, (_, n) => `${word}${n};`).join('\n');
    const big = tool({
      name: 'big',
      description: '',
      input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      run: ({ word }) => lines(word),
    });
    const id = 'call_0';
    const seen: string[] = [];
    const readAll = ({ messages }: { messages: readonly ModelMessage[] }) => {
      const last = String(messages.at(-1)?.content);
      seen.push(last);
      const handle = handleIn(last);
      return handle === undefined
        ? 'done'
        : { toolCalls: [{ id, name: 'read_more', arguments: { handle } }] };
    };
    const ask = (word: string) => ({ toolCalls: [{ id, name: 'big', arguments: { word } }] });
    const script = (word: string) => scripted([ask(word), ...Array.from({ length: 12 }, () => readAll)]);
    const options = { tools: [big], maxResultTokens: 600, maxTurns: 20 };
    const { messages } = await new Agent({ ...options, model: script('a') }).run('x');
    expect(seen.join('\n').match(/a\d+;/g)).toEqual(lines('a').split('\n'));
    seen.length = 0;
    await new Agent({ ...options, model: script('b') }).run('y', { history: messages });
    expect(seen.join('\n').match(/b\d+;/g)).toEqual(lines('b').split('\n'));
    expect(findArtifact(messages, 'call_0#0')).toEqual(text(lines('a')));
  });

  it('shows a picture that counts more than the budget', async () => {
    const picture = image('AA==', 'image/png');
    const look = tool({ name: 'look', description: '', run: () => ({ content: [picture, text('tail')] }) });
    const model = scripted([
      { toolCalls: [{ name: 'look' }] },
      { toolCalls: [{ name: 'read_more', arguments: { handle: 'call_1#0' } }] },
      'done',
    ]);
    await new Agent({ model, tools: [look], maxResultTokens: 500 }).run('go');
    expect(String(model.requests[1]?.messages.at(-1)?.content)).toContain('the handle "call_1#0+"');
    const page = model.requests[2]?.messages.at(-1)?.content as readonly unknown[];
    expect(page[0]).toEqual(picture);
    expect(page.at(-1)).toMatchObject({ text: expect.stringContaining('the handle "call_1#1"') });
  });

  it('is not there while nothing was cut', async () => {
    const model = scripted([{ toolCalls: [{ name: 'read_more' }] }, 'done']);
    const { messages } = await new Agent({ model }).run('go');
    expect(model.requests[0]?.tools).toBeUndefined();
    expect(messages[2]?.content).toContain('There is no tool named "read_more"');
  });
});

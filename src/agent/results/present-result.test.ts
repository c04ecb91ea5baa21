import { describe, expect, it } from 'vitest';
import type { ToolMessage } from '../../models/model.ts';
import { audio, type Content, embed, image, link, text } from '../../tools/content.ts';
import { renderContent } from '../../tools/render-content.ts';
import { tokensPerMedia } from './estimate-tokens.ts';
import { Presenter } from './present-messages.ts';
import { presentResult } from './present-result.ts';

function message(content: ToolMessage['content'], more: Partial<ToolMessage> = {}): ToolMessage {
  return { role: 'tool', toolCallId: 'call_1', toolName: 'look', content, ...more };
}

function show(given: ToolMessage, maxTokens = 25_000): ToolMessage['content'] {
  return presentResult(given, { maxTokens, readMore: 'read_more' }).content;
}

/** All that is text in what is shown. */
function textOf(given: ToolMessage, maxTokens?: number): string {
  const shown = show(given, maxTokens);
  if (typeof shown === 'string') return shown;
  return shown.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
}

const picture = image('aGVsbG8gd29ybGQ=', 'image/png');

describe('what a model is shown of a result', () => {
  it('is the text when all of it is text, and the blocks when there is more', () => {
    expect(show(message('hi'))).toBe('hi');
    expect(show(message([text('a'), text('b')]))).toBe('a\nb');
    expect(show(message([text('a'), picture]))).toEqual([text('a'), picture]);
    expect(show(message(''))).toBe('');
  });

  it('leaves out what is not meant for it, and keeps what says nothing of its audience', () => {
    const forUser = text('for the user', { annotations: { audience: ['user'] } });
    const forBoth = text('for both', { annotations: { audience: ['user', 'assistant'] } });
    const forAny = text('for any', { annotations: { audience: [] } });
    expect(show(message([forUser, forBoth, forAny, text('plain')]))).toBe('for both\nfor any\nplain');
  });

  it('takes an audience that names nobody we know for none', () => {
    const odd = (audience: unknown): Content => ({ ...text('a'), annotations: { audience } as never });
    for (const audience of [[5, null], ['robot'], 'user', 5, {}])
      expect(show(message([odd(audience)]))).toBe('a');
    expect(show(message([odd(['user', 5]), text('b')]))).toBe('b');
  });

  it.each([
    ['text without text', { type: 'text' }, ''],
    ['text that is null', { type: 'text', text: null }, ''],
    ['text that is a number', { type: 'text', text: 5 }, '5'],
    ['text that is an object', { type: 'text', text: { n: 1 } }, '{"n":1}'],
    [
      'a picture without data',
      { type: 'image' },
      '[image, unknown type, 0 bytes: not shown, artifact call_1#0]',
    ],
    [
      'a recording of another kind of data',
      { type: 'audio', data: 5, mimeType: {} },
      '[audio, unknown type, 0 bytes: not shown, artifact call_1#0]',
    ],
    ['a link to nothing', { type: 'resource_link' }, '[resource without address]'],
    [
      'a resource that is none',
      { type: 'resource', resource: 7 },
      '[resource without address, unknown type, 0 bytes: not shown, artifact call_1#0]',
    ],
  ])('has words for %s, alone, beside others and beside data', (_, block, said) => {
    const odd = block as unknown as Content;
    expect(show(message([odd]))).toBe(said);
    expect(show(message([odd, text('b')]))).toBe(`${said}\nb`);
    expect(show(message([odd, picture]))).toEqual([text(said), picture]);
    expect(show(message([odd], { structuredContent: { n: 2 } }))).toBe(`${said}\n{"n":2}`);
    expect(show(message([odd, text('b'.repeat(9000))]), 500)).toContain('Too long');
  });

  it('says so when all of it is for the user alone', () => {
    const hidden = image('AA==', 'image/png', { annotations: { audience: ['user'] } });
    expect(show(message([hidden]))).toBe('[The result is meant for the user alone and is not shown here.]');
  });

  it('names an artifact by its place in the whole result, also when something before it is left out', () => {
    const hidden = text('x', { annotations: { audience: ['user'] } });
    const shown = show(message([hidden, picture, text('b')]));
    expect(renderContent(shown, 'call_1')).toContain('artifact call_1#1');
  });

  it('has a line for a block of a kind that nobody knows, with its handle and without its bytes', () => {
    const odd = { type: 'hologram', data: 'c2VjcmV0IGJ5dGVz' } as unknown as Content;
    expect(show(message([text('a'), odd]))).toBe(
      'a\n[content of the kind "hologram": not shown, artifact call_1#1]',
    );
  });

  it('keeps native what providers may have natively, and never has its bytes in text', () => {
    const blocks = [
      picture,
      audio('aGVsbG8gd29ybGQ=', 'audio/wav'),
      embed({ uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'aGVsbG8gd29ybGQ=' }),
      embed({ uri: 'file:///a.txt', text: 'words' }),
      link('file:///b', 'b'),
    ];
    expect(show(message(blocks))).toEqual(blocks);
    expect(textOf(message(blocks, { structuredContent: { n: 1 } }))).toBe('{"n":1}');
  });
});

describe('structured data', () => {
  const data = { city: 'Oslo', t: [1, 2] };

  it('is shown as JSON beside text that does not say it', () => {
    expect(show(message('4 degrees', { structuredContent: data }))).toBe(
      `4 degrees\n${JSON.stringify(data)}`,
    );
    expect(show(message('', { structuredContent: data }))).toBe(JSON.stringify(data));
  });
  it.each([
    ['as it is', '{"city":"Oslo","t":[1,2]}', data],
    ['laid out', JSON.stringify(data, undefined, 4), data],
    ['in another order', '{"t":[1,2],"city":"Oslo"}', data],
    [
      'in a code fence',
      `Here it is:\n\`\`\`json\n${JSON.stringify(data, undefined, 2)}\n\`\`\`\nAll of it.`,
      data,
    ],
    ['as the wrapped text', 'plain words', { result: 'plain words' }],
    ['as the wrapped value', '3', { result: 3 }],
    ['as the wrapped list', '[1, 2]', { result: [1, 2] }],
  ])('is shown once when the text says it %s', (_, said, structuredContent) => {
    expect(show(message(said, { structuredContent }))).toBe(said);
  });
  it('is shown once when each block says one of its items', () => {
    const structuredContent = { result: ['a', { n: 1 }] };
    expect(show(message([text('a'), text('{"n": 1}')], { structuredContent }))).toBe('a\n{"n": 1}');
  });
  it('that differs from the text is shown too', () => {
    expect(show(message('{"city":"Oslo","t":[1,3]}', { structuredContent: data }))).toContain('[1,2]');
    expect(show(message('{"city":"Oslo"}', { structuredContent: { city: undefined, n: 1 } }))).toContain(
      '{"n":1}',
    );
  });
  it('that differs from what stands in a code fence is shown too, also where the fence has no end', () => {
    for (const said of [
      '```json\n{"city":"Bergen"}\n```',
      '```\n{"city":"Oslo","t":[1,2]}',
      '``````',
      '```x',
    ])
      expect(show(message(said, { structuredContent: data }))).toBe(`${said}\n${JSON.stringify(data)}`);
  });
  it('that JSON cannot carry is left out', () => {
    expect(show(message('a', { structuredContent: 10n }))).toBe('a');
  });
  it.each([
    ['text alone', message('no such file', { isError: true }), 'no such file'],
    ['data alone', message([], { isError: true, structuredContent: { code: 7 } }), '{"code":7}'],
    [
      'both',
      message('no such file', { isError: true, structuredContent: { code: 7 } }),
      'no such file\n{"code":7}',
    ],
  ])('of a failure is kept: %s', (_, given, shown) => {
    expect(show(given)).toBe(shown);
  });
});

describe('a result over the budget', () => {
  const lines = Array.from({ length: 2000 }, (_, n) => `line ${n}`).join('\n');

  it('keeps whole lines within it, says what was cut, and how to read on', () => {
    const shown = show(message(lines), 1000) as string;
    expect(shown.length / 4).toBeLessThanOrEqual(1000);
    expect(shown.length / 4).toBeGreaterThan(800);
    const [, end] =
      /^\[Too long: of part 0 only characters 0 to (\d+) of \d+ are shown\. Read on with read_more and the handle "call_1#0@\1"\.\]$/m.exec(
        shown,
      ) ?? [];
    expect(lines.slice(0, Number(end)).endsWith('\n')).toBe(true);
    expect(shown.startsWith(lines.slice(0, Number(end) - 1))).toBe(true);
  });

  it('keeps whole items of a JSON array of a megabyte', () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      text: 'some words of a row, more or less',
    }));
    const shown = show(message(JSON.stringify(items))) as string;
    const [json = '', notice] = shown.split('\n');
    const kept = JSON.parse(json) as unknown[];
    expect(kept).toEqual(items.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(1000);
    expect(notice).toContain(`items 1 to ${kept.length} of 20000`);
    expect(shown.length / 4).toBeLessThanOrEqual(25_000);
  });

  it('keeps what is more important before what comes first', () => {
    const first = text('a'.repeat(2000));
    const last = text('b'.repeat(2000), { annotations: { priority: 1 } });
    const shown = show(message([first, last]), 700) as string;
    expect(shown).toContain('b'.repeat(2000));
    expect(shown).not.toContain('a'.repeat(1000));
    expect(shown.indexOf('a'.repeat(100))).toBeLessThan(shown.indexOf('bbb'));
  });

  it('keeps small parts, such as a link, beside one that is too long', () => {
    const shown = show(message([text(lines), link('file:///all.txt', 'all of it')]), 1000);
    expect(shown).toContainEqual(link('file:///all.txt', 'all of it'));
  });

  it('counts a picture as much as any, and leaves out those beyond, each by its handle', () => {
    const pictures = [picture, picture, picture];
    const shown = presentResult(message(pictures), { maxTokens: 2 * tokensPerMedia, readMore: 'read_more' });
    expect(shown.cut).toBe(true);
    expect(shown.content).toEqual([
      picture,
      text('[Too long: parts 1, 2 are left out. Read on with read_more and the handle "call_1#1".]'),
    ]);
  });

  it('stays within the budget however many parts there are', () => {
    const parts = Array.from({ length: 5000 }, (_, n) => text(`part ${n} ${'x'.repeat(400)}`));
    const shown = show(message(parts), 2000) as string;
    expect(shown.length / 4).toBeLessThanOrEqual(2000);
    expect(shown).toMatch(/and \d+ more up to 4999 are left out/);
  });

  it('is shown whole without a limit', () => {
    expect(show(message(lines), Number.POSITIVE_INFINITY)).toBe(lines);
  });

  it('names the tool that reads on as it is called now', () => {
    const presenter = new Presenter(500);
    const same = message(lines);
    expect(presenter.present([same], 'read_more').messages[0]?.content).toContain('with read_more and');
    expect(presenter.present([same], 'read_more_2').messages[0]?.content).toContain('with read_more_2 and');
  });

  it('names only what is left to be read where something behind it is shown already', () => {
    const parts = [0, 0.5, 1].map((priority, n) => text(`${n}`.repeat(2000), { annotations: { priority } }));
    const shown = show(message(parts), 1100) as string;
    expect(shown).toMatch(/part 0 is left out\. Read on with read_more and the handle "call_1#0\+"\.\]$/);
  });

  it('does not count what is not shown', () => {
    const hidden = text(lines, { annotations: { audience: ['user'] } });
    expect(presentResult(message([hidden, text('a')]), { maxTokens: 300, readMore: 'r' }).cut).toBe(false);
  });
});

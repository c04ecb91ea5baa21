import { describe, expect, it } from 'vitest';
import { audio, type Content, embed, image, link, text } from '../../tools/content.ts';
import { toBlocks, toToolResult } from './content.ts';
import { pdf, picture } from './fixtures/replies.ts';

const shown = (media_type: string, data: string): object => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});
const said = (words: string): object => ({ type: 'text', text: words });
const jpeg = '/9j/4AAQSkZJRg==';
const gif = 'R0lGODlh';
const webp = 'UklGRgECAwRXRUJQVlA4IA==';
const unknown = { type: 'hologram', data: 'AAAA' } as unknown as Content;

describe('content becomes blocks', () => {
  it.each<[string, Content, readonly object[]]>([
    ['text', text('a'), [said('a')]],
    ['blank text', text(' \n'), []],
    ['a picture', image(picture, 'image/png'), [shown('image/png', picture)]],
    ['a picture under an old name', image(jpeg, 'image/jpg'), [shown('image/jpeg', jpeg)]],
    ['a picture with the wrong type', image(gif, 'image/png'), [shown('image/gif', gif)]],
    ['a picture of the web', image(webp, 'image/webp'), [shown('image/webp', webp)]],
    [
      'a picture of a kind that the API does not take',
      image('PHN2Zz48L3N2Zz4=', 'image/svg+xml'),
      [said('[image, image/svg+xml, 11 bytes: not shown]')],
    ],
    ['a picture that is none', image('?', 'image/png'), [said('[image, image/png, 0 bytes: not shown]')]],
    ['audio', audio('AAAA', 'audio/wav'), [said('[audio, audio/wav, 3 bytes: not shown]')]],
    ['a link', link('file:///a', 'a'), [said('[resource file:///a: a]')]],
    [
      'a resource of text',
      embed({ uri: 'file:///b', text: 'inside', mimeType: 'text/markdown' }),
      [
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'inside' },
          title: 'file:///b',
        },
      ],
    ],
    ['a resource of blank text', embed({ uri: 'file:///b', text: '' }), [said('[resource file:///b]\n')]],
    [
      'a PDF',
      embed({ uri: 'file:///c', blob: pdf, mimeType: 'application/pdf' }),
      [
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: pdf },
          title: 'file:///c',
        },
      ],
    ],
    [
      'a PDF that is none',
      embed({ uri: 'file:///c', blob: 'AAAA', mimeType: 'application/pdf' }),
      [said('[resource file:///c, application/pdf, 3 bytes: not shown]')],
    ],
    [
      'a picture as a resource',
      embed({ uri: 'u', blob: picture, mimeType: 'image/png' }),
      [shown('image/png', picture)],
    ],
    [
      'any other resource',
      embed({ uri: 'file:///d', blob: 'AAAA' }),
      [said('[resource file:///d, unknown type, 3 bytes: not shown]')],
    ],
    ['a kind that is not known', unknown, [said('[content of the kind "hologram": not shown]')]],
  ])('%s', (_what, block, blocks) => {
    expect(toBlocks([block])).toEqual(blocks);
  });
  it('a title that is too long for the API is left out', () => {
    const [block] = toBlocks([embed({ uri: `file:///${'x'.repeat(500)}`, text: 'inside' })]);
    expect(block).not.toHaveProperty('title');
  });
  it.each([{}, { resource: null }, { resource: { blob: 3 } }])(
    'an odd resource of a peer does no harm: %j',
    more => {
      expect(toBlocks([{ type: 'resource', ...more } as unknown as Content])).toMatchObject([
        { type: 'text' },
      ]);
    },
  );
});

describe('a result of a tool', () => {
  const message = { role: 'tool', toolCallId: 'c', toolName: 't' } as const;
  it('shows what it can, and names the rest by its handle', () => {
    const content = [image(picture, 'image/png'), audio('AAAA', 'audio/wav')];
    expect(toToolResult({ ...message, content }, 'toolu_1')).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [shown('image/png', picture), said('[audio, audio/wav, 3 bytes: not shown, artifact c#1]')],
    });
  });
  it('that is a failure is text alone, as the API wants it', () => {
    const content = [text('no'), image(picture, 'image/png'), embed({ uri: 'u', text: 'log' })];
    expect(toToolResult({ ...message, content, isError: true }, 'toolu_1')).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      is_error: true,
      content: [said('no\n[image, image/png, 20 bytes: not shown, artifact c#1]\n[resource u]\nlog')],
    });
  });
  it.each(['', '  ', []])('that says nothing says so: %j', content => {
    expect(toToolResult({ ...message, content }, 'toolu_1').content).toEqual([said('[no content]')]);
    expect(toToolResult({ ...message, content, isError: true }, 'toolu_1').content).toEqual([
      said('[no content]'),
    ]);
  });
});

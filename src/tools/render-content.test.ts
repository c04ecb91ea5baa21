import { expect, it } from 'vitest';
import { audio, embed, image, link, text } from './content.ts';
import { renderBlock, renderContent } from './render-content.ts';

it('is text where there is text, and a line for everything else', () => {
  const content = [
    text('first'),
    image(new Uint8Array(3000), 'image/png'),
    audio('AA==', 'audio/wav'),
    image(new Uint8Array(20_480), 'image/png'),
    link('file:///a', 'a'),
    link('file:///a', 'a', { title: 'The letter a' }),
    embed({ uri: 'file:///b', text: 'inside b' }),
    embed({ uri: 'file:///c', blob: 'AAAA' }),
    embed({ uri: 'file:///d', mimeType: 'application/pdf', blob: '' }),
    { type: 'hologram' },
  ];
  expect(renderContent(content).split('\n')).toEqual([
    'first',
    '[image, image/png, 3000 bytes: not shown]',
    '[audio, audio/wav, 1 bytes: not shown]',
    '[image, image/png, 20 KB: not shown]',
    '[resource file:///a: a]',
    '[resource file:///a: The letter a]',
    '[resource file:///b]',
    'inside b',
    '[resource file:///c, unknown type, 3 bytes: not shown]',
    '[resource file:///d, application/pdf, 0 bytes: not shown]',
    '[content of the kind "hologram": not shown]',
  ]);
});

it('is the text that it was given already', () => {
  expect(renderContent('a\nb')).toBe('a\nb');
  expect(renderContent([])).toBe('');
});

it.each([
  ['text', ''],
  ['image', '[image, unknown type, 0 bytes: not shown]'],
  ['resource', '[resource without address, unknown type, 0 bytes: not shown]'],
  ['resource_link', '[resource without address]'],
])('survives a block of the kind %s with nothing in it', (type, shown) => {
  expect(renderBlock({ type })).toBe(shown);
});

it.each([
  [{ type: 'text', text: 5 }, '5'],
  [{ type: 'text', text: { n: 1 } }, '{"n":1}'],
  [{ type: 'text', text: 1n }, ''],
  [{ type: 'resource_link', uri: 'file:///a' }, '[resource file:///a]'],
  [{ type: 'resource_link', uri: 5, title: null, name: 'a' }, '[resource without address: a]'],
  [{ type: 'resource', resource: 'x' }, '[resource without address, unknown type, 0 bytes: not shown]'],
  [
    { type: 'resource', resource: { uri: 'a', text: 5, mimeType: {} } },
    '[resource a, unknown type, 0 bytes: not shown]',
  ],
  [{ type: 'image', data: 5, mimeType: 7 }, '[image, unknown type, 0 bytes: not shown]'],
])('has words for a block whose members are of other kinds', (block, shown) => {
  expect(renderBlock(block)).toBe(shown);
});

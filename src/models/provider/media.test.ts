import { describe, expect, it } from 'vitest';
import { audio, type Content, embed, image } from '../../tools/content.ts';
import { type Media, toMedia } from './media.ts';

const show = (block: Content): Media => toMedia(block, () => true);
const png = 'iVBORw0KGgoAAAANSUhEUg==';
const blob = (mimeType: string, data: string): Content =>
  embed({ uri: 'file:///a/b.bin?x', blob: data, mimeType });

describe('a picture', () => {
  it.each([
    ['as it is', png],
    ['behind the prefix of an address', `data:image/png;base64,${png}`],
    ['in lines', ` ${png.slice(0, 10)}\r\n${png.slice(10)}\n`],
    ['without padding', png.replace(/=+$/, '')],
  ])('that is written %s is plain base64', (_, data) => {
    expect(show(image(data, 'image/png'))).toMatchObject({ kind: 'image', data: png });
  });
  it('in the letters for addresses is read too', () => {
    expect(show(image('_9j_4AAQSkZJRg-_', 'image/jpeg'))).toMatchObject({ data: '/9j/4AAQSkZJRg+/' });
  });
  it.each([
    ['image/jpg', '/9j/4AAQSkZJRg==', 'image/jpeg'],
    ['image/jpeg', png, 'image/png'],
    ['image/tiff', 'R0lGODlh', 'image/gif'],
    ['IMAGE/WEBP; q=1', 'UklGRgECAwRXRUJQVlA4IA==', 'image/webp'],
    ['image/heif', btoa('\0\0\0\u0018ftypheic'), 'image/heic'],
    ['image/heic', btoa('\0\0\0\u001cftypmif1'), 'image/heif'],
    ['image/svg+xml', 'PHN2Zz4=', 'image/svg+xml'],
  ])('declared as %s is what its bytes say', (declared, data, mimeType) => {
    expect(show(image(data, declared))).toMatchObject({ kind: 'image', mimeType });
    expect(show(blob(declared, data))).toMatchObject({ kind: 'image', mimeType, name: 'b.bin' });
  });
  it.each(['not base64!!', 'data:image/png,abcd', 'iVBORw0KG', 'aGVsbG8=', '='])(
    'that is none, %s, is a line',
    data => {
      const { kind, text } = toMedia(image(data, 'image/png'), () => true, 'c1#0') as Media & {
        text: string;
      };
      expect(kind).toBe('text');
      expect(text).toMatch(/^\[image, image\/png, \d+ bytes: not shown, artifact c1#0\]$/);
    },
  );
});

it.each([
  ['a document that is none', blob('application/pdf', 'aGVsbG8='), 'text'],
  ['a document', blob('application/pdf', 'JVBERi0xLjQ='), 'file'],
  ['sound', audio('QUJD', 'audio/wav'), 'audio'],
  ['sound that is no base64', audio('?', 'audio/wav'), 'text'],
  ['a file of another kind', blob('application/zip', 'UEsD'), 'file'],
])('%s is shown as what it is', (_, block, kind) => {
  expect(show(block).kind).toBe(kind);
});

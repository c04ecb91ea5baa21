import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audio, type Content, embed, image, link, text } from '../../tools/content.ts';
import { isImage, isPdf, markFailure, textOf, toDataUrl, toPieces } from './pieces.ts';

const all = (): boolean => true;
const none = (): boolean => false;
const png = 'iVBORw0KGgo=';

function pieces(
  content: readonly unknown[],
  shows: (mimeType: string) => boolean = all,
  structuredContent?: unknown,
) {
  return toPieces({ content: content as readonly Content[], structuredContent }, 'call_1', shows);
}

describe('the pieces of a result', () => {
  it('are media where the model can be shown them, with a file name', () => {
    const pdf = embed({ uri: 'file:///a/report.pdf?page=1', mimeType: 'application/pdf', blob: 'JVBERi0=' });
    const content = [text('see'), image(png, 'image/png'), audio('UklGRg==', 'audio/wav'), pdf];
    expect(pieces(content)).toEqual([
      { type: 'text', text: 'see' },
      { type: 'media', mimeType: 'image/png', data: png, name: 'image-2' },
      { type: 'media', mimeType: 'audio/wav', data: 'UklGRg==', name: 'audio-3' },
      { type: 'media', mimeType: 'application/pdf', data: 'JVBERi0=', name: 'report.pdf' },
    ]);
  });

  it('are a line with an artifact handle where it cannot', () => {
    expect(pieces([text('see'), image(png, 'image/png')], none)).toEqual([
      { type: 'text', text: 'see' },
      { type: 'text', text: '[image, image/png, 8 bytes: not shown, artifact call_1#1]' },
    ]);
  });

  it('are media by their bytes, however those are written', () => {
    const jpeg = '/9j/4AAQSkZJRg==';
    const shown = (data: string, mimeType: string) => pieces([image(data, mimeType)], isImage)[0];
    const wanted = { type: 'media', mimeType: 'image/jpeg', data: jpeg, name: 'image-1' };
    for (const data of [jpeg, '_9j_4AAQSkZJRg', `data:image/jpeg;base64,${jpeg}`, '/9j/4AAQ\nSkZJRg==\n']) {
      expect(shown(data, 'image/jpeg')).toEqual(wanted);
    }
    for (const mimeType of ['image/jpg', 'image/png', 'IMAGE/JPEG; q=1']) {
      expect(shown(jpeg, mimeType)).toEqual(wanted);
    }
  });

  it.each([
    ['no base64', image('not base64', 'image/png')],
    ['no picture of its type', image('AAAA', 'image/png')],
    ['no PDF', embed({ uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'AAAA' })],
  ])('are a line for what is %s', (_, block) => {
    expect(pieces([block])).toEqual([
      { type: 'text', text: expect.stringMatching(/not shown, artifact call_1#0\]$/) },
    ]);
  });

  it('have a rendering for every other kind, unknown ones included', () => {
    const content = [
      link('file:///a', 'a'),
      embed({ uri: 'file:///b', text: 'words' }),
      { type: 'hologram', depth: 3 },
    ];
    expect(textOf(pieces(content))).toBe(
      '[resource file:///a: a]\n[resource file:///b]\nwords\n[content of the kind "hologram": not shown, artifact call_1#2]',
    );
  });

  it('leave out what is only for people, and blank texts', () => {
    const forUser = text('secret', { annotations: { audience: ['user'] } });
    const forBoth = text('shown', { annotations: { audience: ['user', 'assistant'] } });
    expect(pieces([forUser, text('  \n'), forBoth])).toEqual([{ type: 'text', text: 'shown' }]);
    expect(textOf(pieces([forUser]))).toBe('The tool gave nothing to show.');
    expect(textOf(pieces([]))).toBe('The tool gave nothing to show.');
  });

  it('say structured data once', () => {
    expect(textOf(pieces([text('{ "sum": 42 }')], all, { sum: 42 }))).toBe('{ "sum": 42 }');
    expect(textOf(pieces([text('done')], all, { sum: 42 }))).toBe('done\n{"sum":42}');
  });

  it('survive odd media of a peer', () => {
    const content = [
      { type: 'image' },
      { type: 'audio', data: '', mimeType: 'audio/wav' },
      { type: 'resource' },
    ];
    expect(pieces(content).every(({ type }) => type === 'text')).toBe(true);
    expect(pieces([embed({ uri: '///', mimeType: 'image/png', blob: png })])).toEqual([
      { type: 'media', mimeType: 'image/png', data: png, name: 'image-1' },
    ]);
  });

  it('never hold base64 as text', () => {
    const base64 = fc
      .uint8Array({ minLength: 12, maxLength: 60 })
      .map(b => Buffer.from(b).toString('base64'));
    const block = fc.oneof(
      base64.map(data => image(data, 'image/png')),
      base64.map(data => audio(data, 'audio/wav')),
      base64.map(blob => embed({ uri: 'x:y', blob })),
    );
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), fc.boolean(), (content, shown) => {
        const said = pieces(content, () => shown)
          .map(piece => (piece.type === 'text' ? piece.text : ''))
          .join('\n');
        for (const each of content) {
          const data = each.type === 'resource' ? each.resource.blob : each.data;
          expect(said).not.toContain(data);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('marking a failure', () => {
  it('puts the word before text that does not say it, and before media', () => {
    expect(markFailure([{ type: 'text', text: 'no such order' }])).toEqual([
      { type: 'text', text: 'Error: no such order' },
    ]);
    expect(markFailure([{ type: 'text', text: 'ERROR 7' }])).toEqual([{ type: 'text', text: 'ERROR 7' }]);
    const media = { type: 'media', mimeType: 'image/png', data: png, name: 'x' } as const;
    expect(markFailure([media])).toEqual([{ type: 'text', text: 'Error:' }, media]);
  });
});

it('tells images, PDFs and data URLs', () => {
  expect(['image/png', 'IMAGE/JPEG', 'image/svg+xml', 'text/html'].map(isImage)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([isPdf('application/PDF'), isPdf('application/pdfx')]).toEqual([true, false]);
  expect(toDataUrl({ type: 'media', mimeType: 'image/png', data: png, name: 'x' })).toBe(
    `data:image/png;base64,${png}`,
  );
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseDecoder, type SseEvent } from './sse.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function decode(text: string, options = {}): SseEvent[] {
  return new SseDecoder(options).push(bytes(text));
}

const message = (data: string): SseEvent => ({ event: 'message', data });

describe('server-sent events', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['a mixture', 'data: a\r\n\rdata: b\n\r\n'],
  ])('end with a blank line after %s', (_, text) => {
    expect(decode(text)).toEqual([message('a'), message('b')]);
  });
  it('have a name, an id, a retry time, and data of several lines', () => {
    expect(decode('event: add\nid: 7\nretry: 1500\ndata: one\ndata:two\ndata\n\n')).toEqual([
      { event: 'add', id: '7', retry: 1500, data: 'one\ntwo\n' },
    ]);
  });
  it('may be an id or a retry time alone', () => {
    expect(decode('id: 1\n\nretry: 5\n\n')).toEqual([
      { event: 'message', data: '', id: '1' },
      { event: 'message', data: '', retry: 5 },
    ]);
  });
  it('are none of comments, unknown fields, blank blocks, names alone, and odd ids or times', () => {
    expect(decode(': hi\n\n\n\nother: x\n\nevent: e\n\nretry: soon\nid: a\0b\n\n')).toEqual([]);
  });
  it('lose one space after the colon and no more', () => {
    expect(decode('data:  a \n\n')).toEqual([message(' a ')]);
  });
  it('may begin with a byte order mark, which is text anywhere else', () => {
    expect(decode('\uFEFFdata: a\n\n')).toEqual([message('a')]);
    expect(decode('data: \uFEFFa\n\n\uFEFFdata: b\n\n')).toEqual([message('\uFEFFa')]);
  });
  it('are the same however the bytes are cut', () => {
    const text =
      '\uFEFF: c\r\ndata: grüße 😀\r\ndata: b\rid: 9\n\r\nevent: x\ndata: z\n\n\r\rdata: end\r\n\r\n';
    const whole = decode(text);
    expect(whole).toHaveLength(3);
    const all = bytes(text);
    void fc.assert(
      fc.property(fc.array(fc.nat(all.length), { maxLength: 12 }), cuts => {
        const decoder = new SseDecoder();
        const events: SseEvent[] = [];
        let from = 0;
        for (const to of [...cuts.sort((a, b) => a - b), all.length]) {
          events.push(...decoder.push(all.slice(from, to)));
          from = to;
        }
        expect(events).toEqual(whole);
      }),
    );
  });
  it('may lack their blank line at the end, for those who ask', () => {
    const decoder = new SseDecoder();
    expect(decoder.push(bytes('data: a\n\ndata: [DONE]'))).toEqual([message('a')]);
    expect(decoder.end()).toEqual(message('[DONE]'));
    expect(decoder.end()).toBeUndefined();
  });
  it('do not change when the sender uses its buffer again', () => {
    const decoder = new SseDecoder();
    const buffer = bytes('data: ab');
    decoder.push(buffer);
    buffer.fill(120);
    expect(decoder.push(bytes('c\n\n'))).toEqual([message('abc')]);
  });
  it('are refused beyond the limit, in one line or many', () => {
    expect(() => decode(`data: ${'x'.repeat(100)}`, { maxBytes: 50 })).toThrow(/longer than 50 bytes/);
    expect(() => decode('data: x\n'.repeat(20), { maxBytes: 50 })).toThrow(/longer than 50 bytes/);
    expect(() => decode(`:${'x'.repeat(100)}`, { maxBytes: 50 })).toThrow(/longer than 50 bytes/);
  });
  it('may be any number within the limit, with any number of comments', () => {
    expect(decode('data: x\n\n: y\n'.repeat(100), { maxBytes: 20 })).toHaveLength(100);
  });
  it('take time linear in their length', () => {
    const decoder = new SseDecoder();
    const piece = bytes('x'.repeat(64));
    decoder.push(bytes('data: '));
    for (let count = 0; count < 50_000; count += 1) decoder.push(piece);
    expect(decoder.push(bytes('\n\n'))[0]?.data).toHaveLength(64 * 50_000);
    expect(decode('data: x\r\r'.repeat(50_000))).toHaveLength(50_000);
  });
});

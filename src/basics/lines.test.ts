import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineFault, LineSplitter } from './lines.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Seen {
  readonly splitter: LineSplitter;
  readonly lines: string[];
  readonly sizes: number[];
  readonly faults: LineFault[];
}

function splitter(limit = 1_000_000): Seen {
  const lines: string[] = [];
  const sizes: number[] = [];
  const faults: LineFault[] = [];
  const made = new LineSplitter({
    limit,
    line(text, bytes) {
      lines.push(text);
      sizes.push(bytes);
    },
    fault: fault => faults.push(fault),
  });
  return { splitter: made, lines, sizes, faults };
}

function split(chunks: readonly (string | Uint8Array)[], limit?: number): Seen {
  const seen = splitter(limit);
  for (const chunk of chunks) seen.splitter.push(typeof chunk === 'string' ? bytesOf(chunk) : chunk);
  return seen;
}

const singly = (bytes: Uint8Array): Uint8Array[] => Array.from(bytes, byte => Uint8Array.of(byte));

describe('splitting bytes into lines', () => {
  it('ends a line at LF and at CRLF', () => {
    const { lines, sizes } = split(['one\ntwo\r\nth', 'ree\r', '\nfour\n']);
    expect(lines).toEqual(['one', 'two', 'three', 'four']);
    expect(sizes).toEqual([3, 3, 5, 4]);
  });

  it('gives the same lines however the bytes are cut', () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter(text => !/[\n\r]|^\s|^\p{C}/u.test(text));
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(fc.nat(40)),
        fc.constantFrom('\n', '\r\n'),
        (texts, cuts, newline) => {
          const bytes = bytesOf(texts.map(text => text + newline).join(''));
          const chunks: Uint8Array[] = [];
          let from = 0;
          for (const cut of cuts) {
            chunks.push(bytes.subarray(from, from + cut));
            from += cut;
          }
          chunks.push(bytes.subarray(from));
          const { lines, sizes, faults } = split(chunks);
          expect(lines).toEqual(texts);
          expect(sizes).toEqual(texts.map(text => bytesOf(text).length));
          expect(faults).toEqual([]);
        },
      ),
    );
  });

  it('joins characters that arrive one byte at a time', () => {
    expect(split(singly(bytesOf('é—😀\n{"a":"日本"}\n'))).lines).toEqual(['é—😀', '{"a":"日本"}']);
  });

  it('delivers a long line that arrives in large and small pieces', () => {
    const text = 'ab€'.repeat(60_000);
    const bytes = bytesOf(`${text}\n`);
    const chunks = [
      bytes.subarray(0, 70_000),
      ...singly(bytes.subarray(70_000, 75_001)),
      bytes.subarray(75_001),
    ];
    expect(split(chunks).lines).toEqual([text]);
  });

  it('drops a byte order mark before any line', () => {
    const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
    expect(split([mark, '{}\n', mark, '[]\n']).lines).toEqual(['{}', '[]']);
    expect(split([...singly(mark), '{}\n']).lines).toEqual(['{}']);
  });

  it('skips blank lines, and only those', () => {
    expect(split(['\n\r\n   \n \t \r\n\n{}\n\0\n \0 \n']).lines).toEqual(['{}', '\0', ' \0 ']);
  });

  it('delivers every line of a chunk before push returns', () => {
    const { lines } = split([Array.from({ length: 10_000 }, (_, at) => `${at}\n`).join('')]);
    expect(lines).toHaveLength(10_000);
    expect(lines.at(-1)).toBe('9999');
  });

  it('gives the same lines and sizes when a chunk has one that cannot be read among them', () => {
    const chunk = Uint8Array.from([
      ...bytesOf('{"a":1}\n'),
      0xff,
      10,
      ...bytesOf('é\r\nlonger than that\n[]\n'),
    ]);
    const { lines, sizes, faults } = split([chunk], 10);
    expect(lines).toEqual(['{"a":1}', 'é', '[]']);
    expect(sizes).toEqual([7, 2, 2]);
    expect(faults.map(({ kind }) => kind)).toEqual(['not-utf8', 'too-long']);
    const plain = split(['short\nlonger than that\r\n[]\nrest'], 10);
    expect(plain.lines).toEqual(['short', '[]']);
    expect(plain.faults).toMatchObject([{ kind: 'too-long', bytes: 16 }]);
  });

  it('looks at each byte once, however a line is cut', () => {
    let looked = 0;
    class Counted extends Uint8Array<ArrayBuffer> {
      override indexOf(value: number, from = 0): number {
        const at = super.indexOf(value, from);
        looked += (at === -1 ? this.length : at + 1) - from;
        return at;
      }
      override lastIndexOf(value: number): number {
        const at = super.lastIndexOf(value);
        looked += this.length - Math.max(at, 0);
        return at;
      }
    }
    const { splitter: made, lines } = splitter();
    const chunk = new Counted(new ArrayBuffer(1000)).fill(97);
    for (let count = 0; count < 500; count += 1) made.push(chunk);
    made.push(new Counted(new ArrayBuffer(1)).fill(10));
    expect(lines[0]).toHaveLength(500_000);
    expect(looked).toBe(500_001);
  });
});

describe('lines that cannot be delivered', () => {
  it('reports a line that is not UTF-8 and goes on with the next', () => {
    const { lines, faults } = split([Uint8Array.of(0x7b, 0xff, 0xfe, 10), 'next\n']);
    expect(lines).toEqual(['next']);
    expect(faults).toEqual([{ kind: 'not-utf8', bytes: 3, sample: '{\ufffd\ufffd' }]);
  });

  it('does not let a character run over the end of its line', () => {
    const { lines, faults } = split([Uint8Array.of(0xe2, 0x82, 10), Uint8Array.of(0xac, 10), 'ok\n']);
    expect(lines).toEqual(['ok']);
    expect(faults.map(fault => fault.kind)).toEqual(['not-utf8', 'not-utf8']);
  });

  it('reports a line above the limit once, as soon as it is, and drops the rest of it', () => {
    const { splitter: made, lines, faults } = splitter(10);
    made.push(bytesOf('first\n12345678'));
    expect(faults).toEqual([]);
    made.push(bytesOf('9abcd'));
    expect(faults).toEqual([{ kind: 'too-long', bytes: 13, sample: '123456789abcd' }]);
    made.push(bytesOf('more and more'));
    made.push(bytesOf('and the end\nnext\n'));
    expect(lines).toEqual(['first', 'next']);
    expect(faults).toHaveLength(1);
  });

  it('reports a line above the limit that is whole within its chunk', () => {
    const { lines, faults } = split(['a\nthis is too long\nb\n'], 10);
    expect(lines).toEqual(['a', 'b']);
    expect(faults).toEqual([{ kind: 'too-long', bytes: 16, sample: 'this is too long' }]);
  });

  it('accepts a line of just the limit, its newline not counted wherever it is cut', () => {
    expect(split(['1234567890\r\n'], 10).lines).toEqual(['1234567890']);
    expect(split(['1234567890', '\r', '\n'], 10).lines).toEqual(['1234567890']);
    expect(split(['12345', '67890\r', '\n'], 10).lines).toEqual(['1234567890']);
    expect(split(['1234567890', '1', '\n'], 10).faults).toHaveLength(1);
    expect(split(['1234567890', '\r', '1\n'], 10).faults).toHaveLength(1);
  });

  it('shows at most 80 printable characters of what it refuses', () => {
    const { faults } = split([`\u001b[31m\0${'😀'.repeat(200)}\n`], 100);
    expect(faults[0]?.sample).toBe(`[31m${'😀'.repeat(76)}`);
  });
});

describe('the end of the bytes', () => {
  it('delivers a last line without a newline and says how long it was', () => {
    const { splitter: made, lines } = split(['one\n', 'two']);
    expect(made.end()).toBe(3);
    expect(lines).toEqual(['one', 'two']);
    expect(made.end()).toBe(0);
  });

  it('delivers nothing when the last line was complete or blank', () => {
    const complete = split(['one\n']);
    expect(complete.splitter.end()).toBe(0);
    const blank = split(['one\n', '  ']);
    expect(blank.splitter.end()).toBe(2);
    expect([...complete.lines, ...blank.lines]).toEqual(['one', 'one']);
  });

  it('reports a last line that stops within a character', () => {
    const { splitter: made, lines, faults } = split([Uint8Array.of(0x61, 0xe2, 0x82)]);
    expect(made.end()).toBe(3);
    expect(lines).toEqual([]);
    expect(faults.map(fault => fault.kind)).toEqual(['not-utf8']);
  });

  it('says nothing more about a line that was too long already', () => {
    const { splitter: made, lines, faults } = split(['12345678901234567890'], 10);
    expect(made.end()).toBe(20);
    expect(lines).toEqual([]);
    expect(faults).toHaveLength(1);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Piece, pieceOf } from './cut-text.ts';

/** All pieces of a text, each as large as the room. */
function piecesOf(text: string, room: number): Piece[] {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length; ) {
    const piece = pieceOf(text, start, room);
    expect(piece.end).toBeGreaterThan(start);
    pieces.push(piece);
    start = piece.end;
  }
  return pieces;
}

describe('a text that fits', () => {
  it('is one piece, as it is', () => {
    expect(pieceOf('[1,2]', 0, 5)).toEqual({ text: '[1,2]', end: 5, extent: 'characters 0 to 5 of 5' });
  });
});

describe('a JSON array', () => {
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: `row, "${id}" ]` }));

  it.each([
    ['on one line', JSON.stringify(rows)],
    ['laid out', JSON.stringify(rows, undefined, 2)],
  ])('comes in whole items, each piece JSON of its own (%s)', (_, text) => {
    const pieces = piecesOf(text, 700);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.flatMap(piece => JSON.parse(piece.text) as unknown[])).toEqual(rows);
  });
  it('says which of its items a piece holds', () => {
    const text = JSON.stringify([10, 20, 30, 40, 50]);
    expect(pieceOf(text, 0, 8)).toEqual({ text: '[10,20]', end: 7, extent: 'items 1 to 2 of 5' });
    expect(pieceOf(text, 7, 8)).toMatchObject({ text: '[30,40]', extent: 'items 3 to 4 of 5' });
    expect(pieceOf(text, 13, 8)).toMatchObject({ text: '[50]', end: text.length });
  });
  it('is cut where it stands inside an object, what is around it closed', () => {
    const text = JSON.stringify({ total: 100, rows });
    const piece = pieceOf(text, 0, 500);
    const shown = JSON.parse(piece.text) as { total: number; rows: unknown[] };
    expect(shown.total).toBe(100);
    expect(shown.rows).toEqual(rows.slice(0, shown.rows.length));
    expect(piece.extent).toBe(`items 1 to ${shown.rows.length} of 100 in "rows"`);
    expect(JSON.parse(pieceOf(text, piece.end, 500).text)).toContainEqual(rows[shown.rows.length]);
  });
  it('is not cut at a tiny array beside the one that matters', () => {
    const text = JSON.stringify({ tags: ['a', 'b'], inner: { rows } });
    expect(pieceOf(text, 0, 500).extent).toMatch(/ of 100 in "inner\.rows"$/);
  });
  it('is cut inside an item that is larger than the room', () => {
    const text = JSON.stringify([{ list: Array.from({ length: 1000 }, (_, n) => n) }, 2]);
    const first = pieceOf(text, 0, 100);
    expect(first.text).toMatch(/^\[\{"list":\[0,1,2,.*,3\d$/);
    expect(first.extent).toMatch(/^items 1 to 3\d of 1000 in "0\.list"$/);
    const long = JSON.stringify(['x'.repeat(1000), 2]);
    expect(
      piecesOf(long, 100)
        .map(piece => piece.text)
        .join(''),
    ).toContain('x'.repeat(100));
  });
  it('goes on within a long text without a bracket that nothing closes', () => {
    const text = JSON.stringify(['x'.repeat(300), ...Array.from({ length: 100 }, (_, n) => n)]);
    const first = pieceOf(text, 0, 200);
    expect(pieceOf(text, first.end, 200).text).toMatch(/^x{100,}",0,1,2,/);
  });
  it('loses nothing, whatever it holds', () => {
    const value = fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 30 });
    void fc.assert(
      fc.property(value, fc.integer({ min: 30, max: 300 }), (items, room) => {
        const text = JSON.stringify(items);
        let end = 0;
        for (const piece of piecesOf(text, room)) {
          // Brackets are added and the comma between items is left out; all else is there.
          const raw = text.slice(end, piece.end).replace(/,$/, '');
          expect(piece.text).toContain(raw);
          end = piece.end;
        }
        expect(end).toBe(text.length);
      }),
    );
  });
  it('that is none is cut as text', () => {
    expect(pieceOf('[not json\n, at all]', 0, 12).text).toBe('[not json');
  });
});

/** The value with the container at the path cut to its first parts. */
function cutAt(value: unknown, path: readonly string[], kept: number): unknown {
  const [name, ...inner] = path;
  if (name === undefined) {
    if (Array.isArray(value)) return value.slice(0, kept);
    return Object.fromEntries(Object.entries(value as object).slice(0, kept));
  }
  if (Array.isArray(value)) {
    return value.map((each, index) => (String(index) === name ? cutAt(each, inner, kept) : each));
  }
  const members = Object.entries(value as object);
  return Object.fromEntries(
    members.map(([key, each]) => [key, key === name ? cutAt(each, inner, kept) : each]),
  );
}

describe('a JSON object', () => {
  const entries = Array.from({ length: 500 }, (_, n) => [`k${n}`, { perms: ['read', 'write'], n }] as const);
  const text = JSON.stringify(Object.fromEntries(entries));

  it('comes in whole members, each piece JSON of its own', () => {
    const pieces = piecesOf(text, 4000);
    expect(pieces.flatMap(piece => Object.entries(JSON.parse(piece.text) as object))).toEqual(entries);
    expect(pieces[0]?.extent).toMatch(/^members 1 to \d+ of 500$/);
    expect(pieces[1]?.extent).toMatch(/^members \d+ to \d+ of 500$/);
  });
  it('is not closed behind a cut inside it while more of it follows', () => {
    const rows = Array.from({ length: 100 }, (_, n) => n);
    const more = JSON.stringify({ rows, next: 'page 2' });
    const piece = pieceOf(more, 0, 100);
    expect(piece.text).toMatch(/^\{"rows":\[0,1,2,.*\d$/);
    expect(piece.extent).toMatch(/^items 1 to \d+ of 100 in "rows"$/);
  });
  it('goes on within a number without brackets that would make another of it', () => {
    expect(pieceOf('[1234567,2,3,4,5,6,7,8]', 3, 12).text).toBe('34567,2,3,4');
  });
});

it('what is shown of cut JSON never claims to be whole: as JSON it lacks what the extent says, and nothing else', () => {
  const key = fc.constantFrom('a', 'b', 'rows', 'k"1', 'm\\');
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(),
      fc.constantFrom('', 'words', 'a "quote", [and] {brackets}'),
      fc.array(tie('value'), { maxLength: 20 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    ),
  }));
  const whole = fc.oneof(fc.array(value, { minLength: 2 }), fc.dictionary(key, value, { minKeys: 2 }));
  let closed = 0;
  void fc.assert(
    fc.property(whole, fc.integer({ min: 8, max: 200 }), fc.boolean(), (given, room, laidOut) => {
      const text = laidOut ? JSON.stringify(given, undefined, 1) : JSON.stringify(given);
      const piece = pieceOf(text, 0, room);
      fc.pre(piece.end < text.length);
      let shown: unknown;
      try {
        shown = JSON.parse(piece.text);
      } catch {
        return;
      }
      closed += 1;
      const [, from, to, path] = /^\w+ (\d+) to (\d+) of \d+(?: in (".*"))?$/.exec(piece.extent) ?? [];
      const names = path === undefined ? [] : (JSON.parse(path) as string).split('.');
      expect(from).toBe('1');
      expect(shown).toEqual(cutAt(given, names, Number(to)));
      expect(shown).not.toEqual(given);
    }),
    { numRuns: 500 },
  );
  expect(closed).toBeGreaterThan(50);
});

describe('any other text', () => {
  it('comes in whole lines', () => {
    expect(piecesOf('one\ntwo\nthree\nfour', 10).map(piece => piece.text)).toEqual([
      'one\ntwo',
      'three\nfour',
    ]);
  });
  it('is cut apart where a line is longer than the room, never within a character', () => {
    expect(piecesOf('😀😀😀', 3).map(piece => piece.text)).toEqual(['😀', '😀', '😀']);
    expect(pieceOf(`a\n${'b'.repeat(200)}`, 0, 100).text).toHaveLength(100);
  });
  it('loses nothing, whatever it is', () => {
    void fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 2, max: 40 }),
        (text, room) => {
          let whole = '';
          for (const piece of piecesOf(text, room)) {
            whole += piece.text;
            if (whole.length < piece.end) whole += '\n';
          }
          expect(whole).toBe(text);
        },
      ),
    );
  });
  it('of many megabytes is cut in whole items too', () => {
    const text = JSON.stringify(Array.from({ length: 200_000 }, (_, id) => ({ id, name: 'some name' })));
    const piece = pieceOf(text, 0, 100_000);
    expect((JSON.parse(piece.text) as unknown[]).length).toBeGreaterThan(2_000);
  });
});

import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../channels/channel.ts';
import type { Params } from '../rpc/message.ts';
import { Paged } from './pages.ts';

/** A list whose pages are given; `cursors` holds what was asked with. */
function paged(page: (cursor: string | undefined, index: number) => Params) {
  const cursors: (string | undefined)[] = [];
  const diagnostics: Diagnostic[] = [];
  const completed: (readonly unknown[])[] = [];
  const list = new Paged<number>({
    method: 'things/list',
    fetch: async cursor => {
      cursors.push(cursor);
      return page(cursor, cursors.length - 1);
    },
    begin: () => result => (result['things'] ?? []) as number[],
    diagnostic: diagnostic => diagnostics.push(diagnostic),
    complete: items => completed.push(items),
  });
  return { list, cursors, diagnostics, completed };
}

describe('a paged list', () => {
  it('follows cursors in order, and asks for the first page without one', async () => {
    const { list, cursors, completed, diagnostics } = paged((_cursor, index) =>
      index < 2 ? { things: [index], nextCursor: `after ${index}` } : { things: [index] },
    );
    expect(await list.all()).toEqual([0, 1, 2]);
    expect(cursors).toEqual([undefined, 'after 0', 'after 1']);
    expect(completed).toEqual([[0, 1, 2]]);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    ['absent', undefined, []],
    ['null', null, ['odd-cursor']],
    ['a number', 7, ['odd-cursor']],
    ['an object', {}, ['odd-cursor']],
  ])('ends when the next cursor is %s, and says what it tolerated', async (_name, nextCursor, kinds) => {
    const { list, cursors, diagnostics } = paged(() => ({ things: [1], nextCursor }));
    expect(await list.all()).toEqual([1]);
    expect(cursors).toHaveLength(1);
    expect(diagnostics.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('passes an empty cursor on as it is, and stops when it comes again', async () => {
    const { list, cursors, diagnostics } = paged((_cursor, index) => ({ things: [index], nextCursor: '' }));
    expect(await list.all()).toEqual([0, 1]);
    expect(cursors).toEqual([undefined, '']);
    expect(diagnostics[0]?.message).toBe(
      'things/list: stopped reading the list because the cursor "" came twice; 2 entries are kept',
    );
  });

  it('stops at a cursor that comes again, even later, and keeps what it has', async () => {
    const { list, diagnostics, completed } = paged((_cursor, index) => ({
      things: [index],
      nextCursor: ['a', 'b', 'c'][index % 3],
    }));
    expect(await list.all()).toEqual([0, 1, 2, 3]);
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['list-cut']);
    // A list that was cut says nothing about what is not there.
    expect(completed).toEqual([]);
  });

  it('stops after 1,000 pages of a list that never ends', async () => {
    const { list, cursors, diagnostics } = paged((_cursor, index) => ({ nextCursor: String(index) }));
    expect(await list.all()).toEqual([]);
    expect(cursors).toHaveLength(1000);
    expect(diagnostics[0]?.message).toContain('it has more than 1000 pages; 0 entries are kept');
  });

  it('stops after 10,000 entries', async () => {
    const { list, diagnostics } = paged((_cursor, index) => ({
      things: Array.from({ length: 4000 }, (_none, at) => at),
      nextCursor: String(index),
    }));
    expect(await list.all()).toHaveLength(10_000);
    expect(diagnostics[0]?.message).toContain('it has more than 10000 entries; 10000 entries are kept');
  });

  it('shows no more than a part of a long cursor', async () => {
    const { list, diagnostics } = paged(() => ({ nextCursor: 'c'.repeat(100_000) }));
    await list.all();
    expect(diagnostics[0]?.message.length).toBeLessThan(200);
  });

  it('gives the entries of a page before it asks for the next, and asks for none that nobody wants', async () => {
    const { list, cursors } = paged((_cursor, index) => ({ things: [index], nextCursor: String(index) }));
    for await (const thing of list) if (thing === 1) break;
    expect(cursors).toHaveLength(2);
  });

  it('gives what came before a page that fails, and then the failure', async () => {
    const { list } = paged((_cursor, index) => {
      if (index === 1) throw new Error('gone');
      return { things: [index], nextCursor: 'more' };
    });
    const got: number[] = [];
    const reading = (async () => {
      for await (const thing of list) got.push(thing);
    })();
    await expect(reading).rejects.toThrow('gone');
    expect(got).toEqual([0]);
  });

  it('gives single pages by their cursors, and follows none', async () => {
    const { list, cursors, diagnostics } = paged((_cursor, index) =>
      index === 0 ? { things: [1, 2], nextCursor: 'b' } : { things: [3], nextCursor: null },
    );
    const first = await list.page();
    expect(first).toEqual({ items: [1, 2], nextCursor: 'b' });
    expect(await list.page(first.nextCursor)).toEqual({ items: [3] });
    expect(cursors).toEqual([undefined, 'b']);
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['odd-cursor']);
  });
});

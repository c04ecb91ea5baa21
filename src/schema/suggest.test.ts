import { describe, expect, it } from 'vitest';
import { suggest } from './suggest.ts';

describe('suggest', () => {
  it.each([
    ['qurey', 'query'],
    ['filepath', 'filePath'],
    ['file_path', 'filePath'],
    ['Limits', 'limit'],
    ['maxResult', 'maxResults'],
    ['descripton', 'description'],
  ])('finds for %s the name %s', (name, meant) => {
    expect(suggest(name, ['other', 'query', 'filePath', 'limit', 'maxResults', 'description'])).toBe(meant);
  });

  it('stays silent when nothing is near, and for names of one or two letters', () => {
    expect(suggest('zzz', ['query', 'limit'])).toBeUndefined();
    expect(suggest('n', ['a', 'b'])).toBeUndefined();
    expect(suggest('', ['a'])).toBeUndefined();
  });

  it('takes bounded time on long names and many candidates', () => {
    expect(suggest('x'.repeat(100_000), ['x'.repeat(100_001)])).toBeUndefined();
    expect(
      suggest(
        'abcdef',
        Array.from({ length: 1_000_000 }, (_, i) => `name${i}`),
      ),
    ).toBeUndefined();
  });
});

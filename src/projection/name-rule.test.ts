import { describe, expect, it } from 'vitest';
import { assignAliases } from './aliases.ts';
import { aliasFor, hashName, mayBeAlias, type NameRule, writeAlias } from './name-rule.ts';

const rule: NameRule = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, says: 'be short' };

describe('an alias', () => {
  it('is the name itself where it fits', () => {
    expect(aliasFor('get-file_2', rule)).toBe('get-file_2');
  });
  it.each([
    'a.b',
    'a/b',
    'a b',
    'a:b',
    'ünï',
    '日本語',
    '😀',
    '1.2',
    '',
    '__',
    'x'.repeat(80),
    'x'.repeat(1e6),
  ])('of %.20s fits every rule and is told from a name', name => {
    const alias = writeAlias(name);
    expect(alias).toMatch(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/);
    expect(mayBeAlias(alias)).toBe(true);
  });
  it('keeps what can be read', () => {
    expect(writeAlias('docs/get.file')).toMatch(/^docs_get_file_[0-9a-z]{10}$/);
  });
  it('does not change from one version to the next', () => {
    expect(writeAlias('a.b')).toBe('a_b_bmjqm1xvgo');
    expect(hashName('')).toBe('m914gtp192');
  });
  it('differs for names that look alike when they are cleaned', () => {
    const names = ['a.b', 'a/b', 'a b', 'a..b', `${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`];
    expect(new Set(names.map(name => writeAlias(name))).size).toBe(names.length);
  });
  it('differs for 100,000 names', () => {
    const aliases = Array.from({ length: 100_000 }, (_, at) => writeAlias(`tool.${at}`));
    expect(new Set(aliases).size).toBe(aliases.length);
  });
});

describe('the aliases of a set', () => {
  it('lead back to the names', () => {
    const names = ['a-b__c', 'a_b__c', 'a.b', 'plain'];
    const { aliasOf, nameOf } = assignAliases(names, rule);
    expect(names.map(name => nameOf(aliasOf(name)))).toEqual(names);
    expect(aliasOf('a-b__c')).toBe('a-b__c');
    expect(aliasOf('a_b__c')).toBe('a_b__c');
  });
  it('are the same whatever stands beside a name, in whatever order, also outside the set', () => {
    const alone = assignAliases(['a.b'], rule).aliasOf('a.b');
    expect(assignAliases(['x y', 'a.b'], rule).aliasOf('a.b')).toBe(alone);
    expect(assignAliases([], rule).aliasOf('a.b')).toBe(alone);
  });
  it('give an unknown word back as it is', () => {
    expect(assignAliases(['a'], rule).nameOf('made_up')).toBe('made_up');
  });
  it('never take a name from a tool that is called like the alias of another', () => {
    const taken = writeAlias('a.b');
    for (const names of [
      ['a.b', taken],
      [taken, 'a.b'],
    ]) {
      const { aliasOf, nameOf } = assignAliases(names, rule);
      expect(aliasOf(taken)).toBe(taken);
      expect(aliasOf('a.b')).not.toBe(taken);
      expect(names.map(name => nameOf(aliasOf(name)))).toEqual(names);
    }
  });
});

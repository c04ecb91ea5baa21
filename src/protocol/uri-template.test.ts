import { describe, expect, it } from 'vitest';
import { templateMatcher } from './uri-match.ts';
import { screenPath } from './uri-screen.ts';
import { expandTemplate, parseTemplate, type TemplateValue, variablesOf } from './uri-template.ts';

const values = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  empty: '',
  x: '1024',
  y: '768',
  list: ['red', 'green', 'blue'],
  half: '50%',
  odd: '\uD800',
};

describe('writing a URI', () => {
  it.each<[string, string]>([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['X{#hello}', 'X#Hello%20World!'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['X{.var}', 'X.value'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var}', '/value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{var:3}', 'val'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['{/list*}', '/red/green/blue'],
    ['{?list}', '?list=red,green,blue'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{unknown}{?unknown,x}', '?x=1024'],
    ['{constructor}', ''],
    ['{odd}', '%EF%BF%BD'],
  ])('%s becomes %s', (template, uri) => {
    expect(expandTemplate(template, values as Record<string, TemplateValue>)).toBe(uri);
  });
});

describe('reading a template', () => {
  it.each([
    ['a{b', 'a "{" is never closed'],
    ['a}b', 'a "}" has no "{" before it'],
    ['{}', 'names no variable'],
    ['{a b}', 'names no variable'],
    ['{a:0}', 'names no variable'],
    ['x'.repeat(9000), 'longer than 8192 characters'],
  ])('refuses %.20s and says why', (template, why) => {
    expect(() => parseTemplate(template)).toThrow(TypeError);
    expect(() => parseTemplate(template)).toThrow(why);
  });

  it('names each variable once', () => {
    expect(variablesOf(parseTemplate('a://{x}/{+y}{?x,z*}'))).toEqual(['x', 'y', 'z']);
  });
});

describe('holding a URI against a template', () => {
  it.each<[string, string, unknown]>([
    ['test://template/{id}/data', 'test://template/123/data', { id: '123' }],
    ['test://template/{id}/data', 'test://template/a%20b/data', { id: 'a b' }],
    ['test://template/{id}/data', 'test://template//data', undefined],
    ['test://template/{id}/data', 'test://template/1/2/data', undefined],
    ['test://template/{id}/data', 'test://template/1/data/', undefined],
    ['test://template/{id}', 'test://template/user@host:1,2', { id: 'user@host:1,2' }],
    ['file:///{+path}', 'file:///a/b.txt?c#d', { path: 'a/b.txt?c#d' }],
    ['x:{+path}.txt', 'x:a.txt.txt', { path: 'a.txt' }],
    ['x:{+path}/data/{id}', 'x:a/data/b/data/7', { path: 'a/data/b', id: '7' }],
    ['x:{a}-{b}', 'x:1-2-3', { a: '1-2', b: '3' }],
    ['x:{a,b}', 'x:1,2', { a: '1', b: '2' }],
    ['x:{a,b}', 'x:1', { a: '1' }],
    ['x:{a*}', 'x:1,2', { a: ['1', '2'] }],
    ['x:{/a,b}', 'x:/1/2', { a: '1', b: '2' }],
    ['x:{/a}{/b}', 'x:/1/2', { a: '1', b: '2' }],
    ['x:{/a*}', 'x:/1/2/3', { a: ['1', '2', '3'] }],
    ['x:f{.kind}', 'x:f.txt', { kind: 'txt' }],
    ['x:f{.kind}', 'x:f', {}],
    ['x:f{#part}', 'x:f#a/b', { part: 'a/b' }],
    ['x:{;a,b}', 'x:;b=2;a=1', { a: '1', b: '2' }],
    ['x:{?q,n}', 'x:?n=5&q=t%26t', { q: 't&t', n: '5' }],
    ['x:{?q,n}', 'x:', {}],
    ['x:{+path}{?q}{#part}', 'x:a/b?q=1#c', { path: 'a/b', q: '1', part: 'c' }],
    ['x:{+path}{?q}{#part}', 'x:a/b', { path: 'a/b' }],
    ['x:{?q}{&n}', 'x:?n=5&q=a', { q: 'a', n: '5' }],
    ['x:{?q*}', 'x:?q=1&q=2', { q: ['1', '2'] }],
    ['x:{?q}', 'x:?q=1&q=2', undefined],
    ['x:{?q}', 'x:?other=1', undefined],
    ['x:{?q}', 'x:?q', { q: '' }],
    ['x:{a:3}', 'x:abc', { a: 'abc' }],
    ['x:{a:3}', 'x:abcd', undefined],
    ['x:{a}', 'x:%zz', undefined],
    ['x:{a}/{a}', 'x:1/1', { a: '1' }],
    ['x:{a}/{a}', 'x:1/2', undefined],
    ['x:plain', 'x:plain', {}],
    ['x:plain', 'x:plainer', undefined],
  ])('%s and %s', (template, uri, expected) => {
    expect(templateMatcher(template).match(uri)).toEqual(expected);
  });

  it('gives back what a URI was written with', () => {
    const template = 'db://{host}{/path*}{?q,page}';
    const given = { host: 'a b', path: ['x/y', 'ü', '%2F'], q: 'a=b&c', page: '2' };
    expect(templateMatcher(template).match(expandTemplate(template, given))).toEqual(given);
  });

  it.each([
    ['x:{?a*}', (length: number) => `x:?${'a=1&'.repeat(length / 4)}a=1`],
    ['x:{?a*}', (length: number) => `x:?${'a'.repeat(length)}!`],
    ['x:{?a*}{?b*}{?c*}', (length: number) => `x:?${'a=&'.repeat(length / 3)}`],
    ['x:{+a}{+b}{+c}{+d}!', (length: number) => `x:${'a'.repeat(length)}`],
    ['x:{a*}{b*}{/c*}{.d*}', (length: number) => `x:${'a,'.repeat(length / 2)}`],
    ['x:{/a*}{/b*}{/c*}#', (length: number) => `x:${'/'.repeat(length)}`],
  ])('%s costs twice as much for a URI of 50,000 characters as for one of 25,000', (template, uri) => {
    const work = (length: number): number => {
      const counted = { steps: 0 };
      templateMatcher(template).match(uri(length), counted);
      return counted.steps;
    };
    expect(work(50_000)).toBeGreaterThan(50_000);
    expect(work(50_000)).toBeLessThan(2.01 * work(25_000) + 100);
    expect(work(50_000)).toBeLessThan(50_010 * 2 * 6);
  });

  it('does not look at a URI of more than 65,536 characters', () => {
    const counted = { steps: 0 };
    expect(templateMatcher('{+a}').match('x'.repeat(65_537), counted)).toBeUndefined();
    expect(counted.steps).toBe(0);
  });
});

describe('the screen for paths', () => {
  it.each([
    '..',
    '../x',
    'a/../b',
    'a\\..\\b',
    '%2e%2e',
    '..%2fx',
    '%2E%2E%5Cx',
    '%252e%252e%252fx',
    '..%00',
    'a\0b',
    '/etc/passwd',
    '\\\\host\\share',
    'C:\\x',
    'c:/x',
    '%2Fetc',
    'a/.. /b',
    'a%2f..',
    '%25252e%25252e',
    '%2525252525252e',
    '..%zz/..',
    '...',
  ])('stops %s', value => {
    expect(screenPath(value)).toBeTypeOf('string');
  });

  it.each(['', 'a', 'a/b', 'a..b', '.hidden', 'a/.b', '100%', 'Ü/ä', 'a:b', 'x=..y'])(
    'lets %s through',
    value => {
      expect(screenPath(value)).toBeUndefined();
    },
  );
});

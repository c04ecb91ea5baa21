import { describe, expect, it } from 'vitest';
import { plainClient } from '../../test/fixtures/plain-server.ts';
import { readCallResult } from './call-result.ts';

const text = (value: string) => ({ type: 'text', text: value });

describe('the result of a call', () => {
  it.each<[string, unknown, readonly unknown[]]>([
    ['is absent', undefined, []],
    ['is null', null, []],
    ['is empty', [], []],
    ['is text', 'plain', [text('plain')]],
    ['is one block', text('one'), [text('one')]],
    ['holds text', ['plain', text('two')], [text('plain'), text('two')]],
    ['holds a kind that is not known', [{ type: 'hologram', size: 3 }], [{ type: 'hologram', size: 3 }]],
    ['holds what is no block', [null, 7, {}], [null, 7, {}].map(value => ({ type: 'unknown', value }))],
  ])('loses nothing when its content %s', (_name, content, expected) => {
    expect(readCallResult({ content })).toEqual({ content: expected, isError: false });
  });

  it('has the content of a server that still calls it toolResult', () => {
    expect(readCallResult({ toolResult: 'old' }).content).toEqual([text('old')]);
  });

  it.each<[unknown, boolean]>([
    [true, true],
    [false, false],
    [undefined, false],
    [null, false],
    ['true', false],
    [1, false],
  ])('with isError %j is a failure: %s', (isError, expected) => {
    expect(readCallResult({ isError }).isError).toBe(expected);
  });

  it.each([[{ a: 1 }], [[1, 2]], ['text'], [0], [false], [null]])(
    'keeps the structured content %j',
    structuredContent => {
      expect(readCallResult({ structuredContent })).toEqual({
        content: [],
        structuredContent,
        isError: false,
      });
    },
  );

  it('keeps _meta and drops one that is no object', () => {
    expect(readCallResult({ _meta: { a: 1 } })._meta).toEqual({ a: 1 });
    expect(readCallResult({ _meta: null })).not.toHaveProperty('_meta');
  });

  it.each([[null], ['text'], [7], [[]]])('is empty when the whole result is %j', async odd => {
    const { client } = await plainClient({ 'tools/call': () => odd });
    expect(await client.call('any')).toEqual({ content: [], isError: false });
    await client.close();
  });
});

describe('a result that is no object', () => {
  it.each([[null], [[]], ['text'], [7]])('counts as an empty one and is told of: %j', async odd => {
    const { client } = await plainClient({ 'tools/call': () => odd });
    expect(await client.call('x')).toEqual({ content: [], isError: false });
    expect(client.diagnostics.filter(({ kind }) => kind === 'odd-result')).toHaveLength(1);
    await client.close();
  });
});

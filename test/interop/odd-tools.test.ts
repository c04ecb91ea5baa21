/** Our client with odd lists of tools and odd results: the good tool is always there, nothing is lost in silence. */
import { describe, expect, test } from 'vitest';
import { kinds, meet, textOf, useGood } from './meeting.ts';

describe('an odd tool beside the good one is used, and what was mended is told', () => {
  test.concurrent.each([
    ['tool-no-schema', true],
    ['tool-null-schema', true],
    ['tool-text-schema', true],
    ['tool-boolean-schema', true],
    ['tool-array-schema', true],
    ['tool-empty-schema', true],
    ['tool-dialect-only', true],
    ['tool-null-properties', true],
    ['tool-type-array', true],
    ['tool-string-type', true],
    ['tool-any-of', true],
    ['tool-null-description', true],
    ['tool-number-description', true],
    ['tool-null-annotations', true],
    ['tool-null-meta', true],
    ['tool-null-title', true],
    ['tool-bad-icon', true],
    ['tool-icons-object', true],
    ['tool-null-output', true],
    ['tool-no-description', false],
    ['tool-odd-annotations', false],
    ['tool-bad-keywords', false],
    ['tool-unresolved-ref', false],
    ['tool-remote-ref', false],
    ['tool-array-output', false],
    ['tool-bad-output', false],
    ['tool-extra-members', false],
    ['tool-long-description', false],
  ])('%s: mended %s', (variant, mended) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      const tools = await client.tools().all();
      expect(tools.map(({ name }) => name)).toEqual(['good', 'odd', 'seen']);
      expect(tools[1]?.inputSchema['type']).toBe('object');
      const told = client.diagnostics.filter(({ kind }) => kind === 'tool-mended');
      expect(told.map(({ message }) => message.includes('"odd"'))).toEqual(mended ? [true] : []);
      expect(textOf(await client.call('odd'))).toBe('good');
      expect(textOf(await client.call('good'))).toBe('good');
    }),
  );

  test.concurrent('tool-any-of: what the schema says beyond its type is kept', () =>
    meet('tool-any-of', async ({ connect }) => {
      const [, odd] = await (await connect()).tools().all();
      expect(odd?.inputSchema['anyOf']).toHaveLength(2);
    }));

  test.concurrent.each([
    ['tool-odd-name', [expect.stringContaining('a/b c é')]],
    ['tool-prototype-names', ['__proto__', 'constructor', 'toString']],
  ])('%s: odd names are names', (variant, names) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      const listed = (await client.tools().all()).map(({ name }) => name);
      expect(listed).toEqual(['good', ...names, 'seen']);
      for (const name of listed.slice(1, -1)) expect(textOf(await client.call(name))).toBe('good');
    }),
  );

  test.concurrent.each([
    ['tool-number-name', []],
    ['tool-null-name', []],
    ['tool-no-name', []],
    ['tool-empty-name', []],
    ['tool-duplicates', ['twice']],
    ['tool-not-objects', []],
  ])('%s: dropped alone, and told', (variant, names) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      expect((await client.tools().all()).map(({ name }) => name)).toEqual(['good', ...names, 'seen']);
      expect(kinds(client)).toContain('tool-dropped');
      await useGood(client);
    }),
  );
});

describe('odd lists', () => {
  test.concurrent('tools-many: all of them', () =>
    meet('tools-many', async ({ connect }) => {
      expect(await (await connect({ args: ['401'] })).tools().all()).toHaveLength(401);
    }));

  test.concurrent.each(['tools-missing', 'tools-null', 'tools-object', 'tools-null-result'])(
    '%s: counts as empty, and told',
    variant =>
      meet(variant, async ({ connect }) => {
        const client = await connect();
        expect(await client.tools().all()).toEqual([]);
        expect(kinds(client)).toContain('odd-list');
        expect(textOf(await client.call('good'))).toBe('good');
      }),
  );

  test.concurrent('tools-empty: no tools is no oddity', () =>
    meet('tools-empty', async ({ connect }) => {
      const client = await connect();
      expect(await client.tools().all()).toEqual([]);
      expect(kinds(client)).toEqual(['era']);
    }));

  test.concurrent.each([
    ['pages-two', ['good', 'page-2'], false],
    ['pages-null-cursor', ['good', 'page-2'], false],
    ['pages-only-null-cursor', ['good'], false],
    ['pages-empty-cursor', ['good', 'page-2'], false],
    ['pages-number-cursor', ['good'], false],
    ['pages-repeating', ['good', 'page-2'], true],
    ['pages-empty-cursor-for-ever', ['good', 'page-2'], true],
    ['pages-circle', ['good', 'page-2', 'page-3', 'page-4'], true],
  ])('%s: %j, cut short: %s', (variant, names, cut) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      expect((await client.tools().all()).map(({ name }) => name)).toEqual(names);
      expect(kinds(client).includes('list-cut')).toBe(cut);
    }),
  );

  test.concurrent.each([
    ['pages-endless', 1000],
    ['pages-endless-empty', 1],
  ])('%s: stops at 1,000 pages with what it has', (variant, count) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      expect(await client.tools().all()).toHaveLength(count);
      expect(kinds(client)).toContain('list-cut');
    }),
  );

  test.concurrent('pages-refused: the refusal of a later page is thrown, after the tools before it', () =>
    meet('pages-refused', async ({ connect }) => {
      const client = await connect();
      const names: string[] = [];
      const reading = async (): Promise<void> => {
        for await (const { name } of client.tools()) names.push(name);
      };
      await expect(reading()).rejects.toMatchObject({ name: 'ProtocolError', code: -32602 });
      expect(names).toEqual(['good']);
    }));
});

describe('odd results are read, and nothing of them is lost', () => {
  const text = (value: string) => ({ type: 'text', text: value });

  test.concurrent.each<[string, object]>([
    ['result-structured-only', { content: [], structuredContent: { n: 1 }, isError: false }],
    ['result-error-structured', { content: [], structuredContent: { reason: 'quota' }, isError: true }],
    [
      'result-error-both',
      { content: [text('no quota left')], structuredContent: { reason: 'quota' }, isError: true },
    ],
    ['result-error-empty', { content: [], isError: true }],
    ['result-error-as-success', { content: [text('{"error":"no such file"}')], isError: false }],
    ['result-error-null', { content: [text('good')], isError: false }],
    ['result-unknown-content', { content: [{ type: 'hologram', beam: 1 }, text('good')], isError: false }],
    ['result-content-text', { content: [text('good')], isError: false }],
    ['result-content-object', { content: [text('good')], isError: false }],
    ['result-empty', { content: [], isError: false }],
    ['result-null', { content: [], isError: false }],
    ['result-legacy', { content: [text('good')], isError: false }],
  ])('%s', (variant, expected) =>
    meet(variant, async ({ connect }) => {
      expect(await (await connect()).call('good')).toEqual(expected);
    }),
  );

  test.concurrent('result-odd-content: blocks that are none do not take the others with them', () =>
    meet('result-odd-content', async ({ connect }) => {
      const { content } = await (await connect()).call('good');
      expect(content).toHaveLength(7);
      expect(content.at(-1)).toEqual(text('good'));
      for (const block of content) expect(typeof block.type).toBe('string');
    }));

  test.concurrent('result-all-content: every kind the protocol has', () =>
    meet('result-all-content', async ({ connect }) => {
      const { content } = await (await connect()).call('good');
      const types = ['text', 'image', 'audio', 'resource_link', 'resource', 'resource'];
      expect(content.map(({ type }) => type)).toEqual(types);
    }));

  test.concurrent.each([
    ['output-misfit', true],
    ['output-missing', true],
    ['output-array', true],
    ['output-error', false],
    ['output-fits', false],
  ])('%s: told as a mismatch: %s, and returned all the same', (variant, mismatch) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      await client.tools().all();
      const result = await client.call('typed');
      expect(result.content).toHaveLength(1);
      expect(kinds(client).includes('output-mismatch')).toBe(mismatch);
    }),
  );

  test.concurrent.each([
    ['unknown-tool-is-error', { isError: true }],
    ['unknown-tool-success', { isError: false }],
  ])('%s: returned', (variant, expected) =>
    meet(variant, async ({ connect }) => {
      expect(await (await connect()).call('nobody')).toMatchObject(expected);
    }),
  );

  test.concurrent.each([
    ['ordinary', -32602],
    ['unknown-tool-32603', -32603],
    ['unknown-tool-32601', -32601],
    ['unknown-tool-32600', -32600],
    ['unknown-tool-code-zero', 0],
  ])('%s: an unknown tool is thrown with code %i', (variant, code) =>
    meet(variant, async ({ connect }) => {
      await expect((await connect()).call('nobody')).rejects.toMatchObject({ name: 'ProtocolError', code });
    }),
  );
});

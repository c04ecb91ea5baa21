/** Our client with odd bytes, odd JSON-RPC and odd manners: what can be used is used, the rest fails alone and by name. */
import { describe, expect, test } from 'vitest';
import { kinds, meet, seenBy, textOf, useGood } from './meeting.ts';

describe('the good tool is used and what was tolerated is told', () => {
  test.concurrent.each<[string, string?]>([
    ['banner', 'stdout-noise'],
    ['banner-before-initialize', 'stdout-noise'],
    ['noise', 'stdout-noise'],
    ['json-log', 'stdout-noise'],
    ['json-scalars', 'stdout-noise'],
    ['half-json', 'stdout-noise'],
    ['deep-json', 'stdout-noise'],
    ['nul-bytes', 'stdout-noise'],
    ['two-on-a-line', 'stdout-noise'],
    ['invalid-utf8', 'not-utf8'],
    ['crlf'],
    ['bom'],
    ['bom-every-line'],
    ['blank-lines'],
    ['deaf-after-blank'],
    ['exits-on-oddity'],
    ['string-ids'],
    ['fails-on-string-ids'],
    ['extra-members'],
    ['error-null'],
    ['method-null'],
    ['no-version'],
    ['odd-version'],
    ['error-null-id-then-answer', 'error-without-id'],
    ['unknown-ids', 'unknown-response'],
    ['answers-twice', 'unknown-response'],
    ['answers-notifications', 'error-without-id'],
    ['early-messages'],
    ['unasked-messages'],
    ['changes-tools'],
    ['ping-not-found'],
    ['ping-silent'],
    ['progress'],
    ['progress-foreign-token', 'unknown-progress'],
    ['progress-backwards'],
    ['progress-after-result', 'unknown-progress'],
    ['progress-string-token'],
    ['asks-oddly'],
  ])('%s, told as %s', (variant, kind) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      await useGood(client);
      await useGood(client);
      if (kind !== undefined) expect(kinds(client)).toContain(kind);
    }),
  );
});

describe('bytes', () => {
  test.concurrent('bytewise: characters survive being torn apart', () =>
    meet('bytewise', async ({ connect }) => useGood(await connect(), 'é—😀')));

  test.concurrent('line-separators: they are no ends of lines', () =>
    meet('line-separators', async ({ connect }) => useGood(await connect(), 'a\u2028b\u2029c\u0085d')));

  test.concurrent('joined-lines: three messages in one chunk are three messages', () =>
    meet('joined-lines', async ({ connect, received }) => {
      const logs: unknown[] = [];
      const client = await connect({ options: { onLog: ({ data }) => logs.push(data) } });
      expect(textOf(await client.call('good'))).toBe('joined');
      expect(logs).toEqual(['joined']);
      await client.call('good');
      expect(received().filter(line => line.includes('"joined"'))).not.toEqual([]);
    }));

  test.concurrent('invalid-utf8-inside: the line fails its call with the reason, the next one works', () =>
    meet('invalid-utf8-inside', async ({ connect }) => {
      const client = await connect();
      await expect(client.call('good')).rejects.toMatchObject({
        name: 'ProtocolError',
        message: expect.stringContaining('UTF-8'),
      });
      expect(kinds(client)).toContain('unreadable-answer');
      expect(await seenBy(client)).not.toEqual([]);
    }));

  test.concurrent('big-line: 20 MB on one line arrive whole', () =>
    meet('big-line', async ({ connect }) => {
      expect(textOf(await (await connect({ args: ['20000000'] })).call('good'))).toHaveLength(20_000_000);
    }));

  test.concurrent.each<[string, string[]]>([
    ['big-line', ['2000000']],
    ['endless-line', []],
  ])('%s: beyond the limit of a line the connection ends by name', (variant, args) =>
    meet(variant, async ({ connect }) => {
      const client = await connect({ args, stdio: { lineLimit: 1_000_000 } });
      await expect(client.call('good')).rejects.toMatchObject({
        name: 'ConnectionError',
        reason: 'line-too-long',
        message: expect.stringContaining('1000000'),
      });
    }),
  );

  test.concurrent('what the client writes is strict: no blank line, no byte order mark, one object a line, integer ids', () =>
    meet('exits-on-oddity', async ({ connect, received }) => {
      const client = await connect();
      await Promise.all([useGood(client), useGood(client), client.call('nobody').catch(() => {})]);
      await client.close();
      for (const line of received()) {
        const message = JSON.parse(line) as { id?: unknown; jsonrpc: unknown };
        expect(message.jsonrpc).toBe('2.0');
        if (message.id !== undefined) expect(Number.isSafeInteger(message.id)).toBe(true);
      }
    }));
});

describe('answers', () => {
  test.concurrent.each(['call-silent', 'progress-then-silent'])(
    '%s: a call that is never answered ends by its limit and the server is told',
    variant =>
      meet(variant, async ({ connect, received }) => {
        const client = await connect();
        await expect(client.call('good', {}, { timeouts: { idle: 300 } })).rejects.toMatchObject({
          name: 'TimeoutError',
          limit: 'idle',
          ms: 300,
        });
        await client.call('seen');
        expect(received().some(line => line.includes('notifications/cancelled'))).toBe(true);
      }),
  );

  test.concurrent.each<[string, object]>([
    ['neither-result-nor-error', { name: 'ProtocolError' }],
    ['error-is-text', { name: 'ProtocolError', message: expect.stringContaining('it broke') }],
    ['error-without-code', { name: 'ProtocolError' }],
    ['error-code-text', { name: 'ProtocolError', message: expect.stringContaining('it broke') }],
    ['error-null-id', { name: 'ProtocolError', code: -32700 }],
  ])('%s: the call fails as refused', (variant, failure) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      await expect(client.call('good')).rejects.toMatchObject(failure);
      expect(await seenBy(client)).not.toEqual([]);
    }),
  );

  test.concurrent('result-null-beside-error: an error counts', () =>
    meet('result-null-beside-error', async ({ connect }) => {
      const client = await connect();
      await expect(client.call('nobody')).rejects.toMatchObject({ name: 'ProtocolError', code: -32602 });
    }));

  test.concurrent.each(['reverse', 'batch-response'])('%s: each call gets its own answer', variant =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      const results = await Promise.all(['a', 'b'].map(text => client.call('good', { text })));
      expect(results.map(textOf)).toEqual(['a', 'b']);
    }),
  );

  test.concurrent.each(['late-after-cancel', 'error-after-cancel'])(
    '%s: the late answer is dropped and told',
    variant =>
      meet(variant, async ({ connect }) => {
        const client = await connect();
        const controller = new AbortController();
        const reason = new Error('enough');
        const call = client.call('good', {}, { signal: controller.signal });
        controller.abort(reason);
        await expect(call).rejects.toBe(reason);
        expect((await seenBy(client)).map(({ method }) => method)).toContain('notifications/cancelled');
        expect(kinds(client)).toContain('unknown-response');
      }),
  );

  test.concurrent('progress: each report reaches the caller, in order', () =>
    meet('progress', async ({ connect }) => {
      const seen: unknown[] = [];
      await (await connect()).call('good', {}, { onProgress: report => seen.push(report) });
      expect(seen).toEqual([1, 2, 3].map(progress => ({ progress, total: 3, message: `step ${progress}` })));
    }));

  test.concurrent('list-refused: the refusal is thrown', () =>
    meet('list-refused', async ({ connect }) => {
      const client = await connect();
      await expect(client.tools().all()).rejects.toMatchObject({ name: 'ProtocolError', code: -32601 });
      expect(textOf(await client.call('good'))).toBe('good');
    }));
});

describe('requests of the server', () => {
  test.concurrent.each(['before', 'after', 'during'])('a ping %s is answered', when =>
    meet('asks-client', async ({ connect, received }) => {
      const client = await connect({ args: ['ping', when] });
      expect(textOf(await client.call('good'))).toBe(when === 'during' ? '{}' : 'good');
      await client.call('seen');
      expect(received()).toContain('{"jsonrpc":"2.0","id":"from-server","result":{}}');
    }),
  );

  test.concurrent.each([
    ['roots/list', { roots: [{ uri: 'file:///here' }] }],
    ['sampling/createMessage', { role: 'assistant', model: 'm', content: { type: 'text', text: 'hello' } }],
    ['elicitation/create', { action: 'accept', content: { name: 'Ada' } }],
  ] as const)('%s is answered by its handler', (method, answer) =>
    meet('asks-client', async ({ connect }) => {
      const client = await connect({
        args: [method, 'during'],
        options: {
          onRoots: () => [{ uri: 'file:///here' }],
          onSample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'hello' } }),
          onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
        },
      });
      expect(JSON.parse(textOf(await client.call('good')))).toEqual(answer);
    }),
  );

  test.concurrent.each(['roots/list', 'sampling/createMessage', 'elicitation/create', 'hologram/create'])(
    '%s without a handler is refused with -32601 and not advertised',
    method =>
      meet('asks-client', async ({ connect }) => {
        const client = await connect({ args: [method, 'during'] });
        expect(JSON.parse(textOf(await client.call('good')))).toMatchObject({ code: -32601 });
        const seen = await seenBy(client);
        expect(seen.find(message => message.method === 'initialize')?.params.capabilities).toEqual({});
      }),
  );

  test.concurrent('asks-same-id: an id of the server may equal one of ours', () =>
    meet('asks-same-id', async ({ connect }) => {
      expect(textOf(await (await connect()).call('good'))).toBe('{}');
    }));

  test.concurrent('asks-many: all of them are answered', () =>
    meet('asks-many', async ({ connect }) => {
      expect(textOf(await (await connect({ args: ['50'] })).call('good'))).toBe('all answered');
    }));
});

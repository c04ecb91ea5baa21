import { describe, expect, it } from 'vitest';
import {
  answer,
  HttpReceiver,
  httpKit,
  idOf,
  type Outcome,
  transports,
} from '../../test/fixtures/http/http-kit.ts';
import { event, ScriptedHttp, type Visit } from '../../test/fixtures/http/scripted-http.ts';
import { systemClock } from '../basics/clock.ts';
import { type HttpOptions, http } from './http-client.ts';

describe.each(transports)('over %s', (_name, transport) => {
  const open = httpKit();

  const answered: readonly [what: string, script: (visit: Visit) => void][] = [
    ['JSON', visit => visit.reply(200, answer(visit), { 'content-type': 'application/json' })],
    [
      'JSON with odd case and a charset',
      visit => visit.reply(200, answer(visit), { 'content-type': 'Application/JSON; Charset=UTF-8' }),
    ],
    [
      'JSON with an empty parameter',
      visit => visit.reply(200, answer(visit), { 'content-type': 'application/json;' }),
    ],
    ['JSON without a content type', visit => visit.reply(200, ` \n${answer(visit)}`)],
    [
      'JSON that calls itself text',
      visit => visit.reply(200, answer(visit), { 'content-type': 'text/plain; a=application/json' }),
    ],
    [
      'JSON with another 2xx status',
      visit => visit.reply(202, answer(visit), { 'content-type': 'application/json' }),
    ],
    ['a stream', visit => visit.stream().end(`data: ${answer(visit)}\n\n`)],
    [
      'a stream with odd case',
      visit =>
        visit.stream({ 'content-type': 'Text/Event-Stream;charset=utf-8' }).end(`data:${answer(visit)}\n\n`),
    ],
    ['a stream without a content type', visit => visit.reply(200, `: hello\n\ndata: ${answer(visit)}\n\n`)],
    [
      'a stream that begins with a name and has no content type',
      visit => visit.reply(200, `event: message\ndata: ${answer(visit)}\n\n`),
    ],
    ['a stream whose last event lacks its blank line', visit => visit.stream().end(`data: ${answer(visit)}`)],
    [
      'a stream with a byte order mark, CR, CRLF, many data lines, comments, other events and empty ones',
      visit =>
        visit
          .stream()
          .end(
            `\uFEFF: c\r\n\r\nevent: ping\ndata: {"jsonrpc":"2.0","id":${idOf(visit)},"result":{"no":1}}\n\nevent: x\r\rdata:\n\ndata: {"jsonrpc":"2.0",\r\ndata: "id":${idOf(visit)},\rdata: "result":{"ok":true}}\r\n\r\n`,
          ),
    ],
  ];

  it.each(answered)('takes the answer from %s', async (_what, script) => {
    const { ask, receiver, lastId } = await open(script, transport);
    expect((await ask()).answer?.result).toEqual({ ok: true });
    await receiver.until(() => receiver.ends.length === 1);
    expect(receiver.ends).toEqual([lastId()]);
  });

  const refusals: readonly [status: number, type: string | undefined, body: string, expected: object][] = [
    [
      400,
      'application/json',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}',
      { answer: { error: { code: -32000 } } },
    ],
    [
      400,
      undefined,
      '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}}',
      { answer: { error: { code: -32600 } } },
    ],
    [
      200,
      'application/json',
      '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}}',
      { answer: { id: 1, error: { code: -32600 } } },
    ],
    [
      200,
      'application/json',
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      {
        error: {
          reason: 'unreadable-reply',
          message: expect.stringContaining('JSON that does not answer it'),
        },
      },
    ],
    [
      404,
      'application/json',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}',
      { answer: { error: { code: -32601 } } },
    ],
    [
      500,
      'text/event-stream',
      'data: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}\n\n',
      { answer: { error: { code: -32603 } } },
    ],
    [
      400,
      'application/json',
      '{"error":"invalid_request"}',
      { error: { reason: 'http-status', outcome: 'failed', status: 400 } },
    ],
    [
      401,
      'application/json',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"who are you"}}',
      {
        error: {
          reason: 'unauthorized',
          outcome: 'failed',
          status: 401,
          message: expect.stringContaining('who are you'),
        },
      },
    ],
    [
      403,
      'text/plain',
      'Invalid Host',
      { error: { reason: 'forbidden', status: 403, message: expect.stringContaining('Invalid Host') } },
    ],
    [
      404,
      'text/html',
      '<html><body><h1>Not here</h1></body></html>',
      {
        error: {
          reason: 'http-status',
          status: 404,
          message: expect.stringMatching(/status 404: Not here$/),
        },
      },
    ],
    [500, undefined, '', { error: { reason: 'http-status', outcome: 'unknown', status: 500 } }],
    [204, undefined, '', { error: { reason: 'empty-reply', outcome: 'unknown', status: 204 } }],
    [200, undefined, '', { error: { reason: 'empty-reply', outcome: 'unknown', status: 200 } }],
    [200, 'application/json', '', { error: { reason: 'empty-reply', status: 200 } }],
    [200, 'text/html', '<title>Login</title>', { error: { reason: 'unreadable-reply', status: 200 } }],
    [
      200,
      'text/html',
      '<html><div></div></html>',
      { error: { message: expect.stringMatching(/no JSON-RPC message \(text\/html\)$/) } },
    ],
    [200, 'application/json', '{"jsonrpc":', { error: { reason: 'unreadable-reply', outcome: 'unknown' } }],
    [200, 'application/json', '[1]', { error: { reason: 'unreadable-reply' } }],
    [
      200,
      'text/event-stream',
      ': hello\n\n',
      { error: { reason: 'stream-ended', outcome: 'unknown', status: 200 } },
    ],
    [
      200,
      'text/event-stream',
      'data: {"jsonrpc":"2.0","id":1,"res',
      { error: { reason: 'stream-ended', outcome: 'unknown' } },
    ],
  ];

  it.each(refusals)('tells what status %i of type %s with %j means', async (status, type, body, expected) => {
    const { ask } = await open(
      visit => visit.reply(status, body, type === undefined ? {} : { 'content-type': type }),
      transport,
    );
    const outcome = await ask();
    const { error } = outcome.answer ?? {};
    if (error && !('answer' in expected)) throw new Error(`answered: ${error.message}`);
    expect(
      outcome.answer && 'answer' in expected ? { answer: outcome.answer } : { error: outcome.error },
    ).toMatchObject(expected);
  });

  it('says how long a busy server wants to be left alone', async () => {
    const date = { date: 'Mon, 30 Nov 2026 10:00:00 GMT' };
    const waits = ['1', '3600', 'Mon, 30 Nov 2026 10:01:00 GMT', 'soon'];
    const { ask } = await open(
      (visit, count) =>
        visit.reply(count % 2 ? 429 : 503, '', { 'retry-after': waits[count - 1] ?? '', ...date }),
      transport,
    );
    const errors = [await ask(), await ask(), await ask(), await ask()].map(({ error }) => error);
    expect(errors.map(error => error?.retryAfterMs)).toEqual([1000, 3_600_000, 60_000, undefined]);
    expect(errors.every(error => error?.retryable === true && error.outcome === 'failed')).toBe(true);
  });

  it('cuts an error page to one masked line', async () => {
    const page = `<html><style>p { color: red }</style><p>Bad gateway, token=hunter2hunter2 of abcdefgh-secret</p>${'<i>x</i>\n'.repeat(20_000)}</html>`;
    const { ask } = await open(visit => visit.reply(502, page, { 'content-type': 'text/html' }), {
      ...transport,
      headers: { 'x-key': 'abcdefgh-secret' },
    });
    const { error } = await ask();
    expect(error?.message).toContain('status 502: Bad gateway');
    expect(error?.message).not.toMatch(/hunter2|abcdefgh|color|<|\n/);
    expect(error?.message.length).toBeLessThan(320);
    expect(error).toMatchObject({ status: 502, outcome: 'unknown', retryable: true });
  });

  it.each<[string, HttpOptions['headers'], string, string]>([
    ['a bearer', { authorization: 'Bearer zebra9horse9' }, '', 'zebra9horse9'],
    ['a cookie', { cookie: 'a=1; sid=zebra9horse9' }, '', 'zebra9horse9'],
    ['a value of the query', undefined, '?key=zebra9horse9', 'zebra9horse9'],
    ['a password of the URL', undefined, 'password', 'zebra9horse9'],
  ])('masks the bare secret of %s that the server repeats', async (_what, headers, where, secret) => {
    const server = await new ScriptedHttp((visit, count) => {
      const id = idOf(visit);
      const error = { code: -32000, message: `no such ${secret}`, data: { of: secret } };
      const text = JSON.stringify({ jsonrpc: '2.0', id, error });
      if (count === 1) visit.reply(502, `no such ${secret}`);
      else if (count === 2) visit.reply(400, text);
      else if (count === 3) visit.reply(200, text, { 'content-type': 'application/json' });
      else visit.stream().end(event({ id, error }));
    }).start();
    const origin = where === 'password' ? server.origin.replace('//', `//user:${secret}@`) : server.origin;
    const url = `${origin}/mcp${where === 'password' ? '' : where}`;
    const receiver = new HttpReceiver();
    const connection = await http(url, { ...transport, headers }).open(receiver, { clock: systemClock });
    const come: Outcome[] = [];
    for (const id of [1, 2, 3, 4]) {
      connection.send({ jsonrpc: '2.0', id, method: 'work' });
      come.push(await receiver.outcome(id));
    }
    expect(come[0]?.error?.message).toContain('no such ***');
    for (const { answer } of come.slice(1)) {
      expect(answer?.error).toEqual({ code: -32000, message: 'no such ***', data: { of: secret } });
    }
    await connection.close();
    await server.close();
  });
});

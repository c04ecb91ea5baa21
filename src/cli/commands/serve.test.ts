import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { openOverStdio } from '../server/listen.ts';
import { offerUsual } from './serve/offer-usual.ts';
import { listeningTo } from './serve.ts';

type Json = Record<string, unknown>;

interface Client {
  /** What was said beside the protocol. */
  readonly notes: readonly string[];
  ask(method: string, params?: Json): Promise<Json>;
  /** Leaves, and waits for the end of serving. */
  leave(): Promise<void>;
}

/** Starts serving in this process and is its client, by lines of JSON. */
async function start(environment: Record<string, string>): Promise<Client> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const notes: string[] = [];
  const terminal = { print: () => expect.unreachable(), warn: (text: string) => void notes.push(text) };
  const offered = await offerUsual(environment, terminal);
  const service = await openOverStdio(listeningTo(offered, terminal), { input, output });
  const waiting = new Map<unknown, (result: Json) => void>();
  let rest = '';
  output.on('data', chunk => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Json;
      waiting.get(message['id'])?.(message);
    }
  });
  let id = 0;
  const ask = (method: string, params: Json = {}): Promise<Json> => {
    id += 1;
    const answer = new Promise<Json>(resolve => waiting.set(id, resolve));
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer.then(message => (message['result'] ?? message['error']) as Json);
  };
  await ask('initialize', {
    // One that no server knows: it answers with one that it does.
    protocolVersion: 'any',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  });
  input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    notes,
    ask,
    leave() {
      input.end();
      return service.closed;
    },
  };
}

let provider: Server | undefined;
afterEach(() => provider?.close());

/** A provider of chat completions on loopback that gives the same answer to everyone. */
async function startProvider(answer: string, status = 200): Promise<string> {
  provider = createServer((request, response) => {
    request.resume().on('end', () => {
      const body = {
        choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 2 },
      };
      const failure = { error: { message: `bad key ${request.headers.authorization}` } };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? body : failure));
    });
  });
  await new Promise<void>(done => provider?.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
}

describe('tenon serve without configuration', () => {
  it('starts, says so in one line, lists both tools, and ends when the client leaves', async () => {
    const client = await start({});
    expect(client.notes).toHaveLength(1);
    expect(client.notes[0]).toMatch(
      /^tenon \S+ serves consensus and react_loop over stdio, but calls will fail .*TENON_MODEL/,
    );
    const { tools } = await client.ask('tools/list');
    expect((tools as Json[]).map(tool => tool['name'])).toEqual(['consensus', 'react_loop']);
    for (const tool of tools as Json[]) {
      expect(tool['inputSchema']).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool['outputSchema']).toMatchObject({ type: 'object' });
    }
    await client.leave();
  });

  it.each(['consensus', 'react_loop'])('%s answers what is missing', async name => {
    const client = await start({ TENON_API_KEY: 'sk-secret-secret' });
    const result = await client.ask('tools/call', { name, arguments: { prompt: 'p' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { kind: 'configuration' } });
    const said = JSON.stringify(result);
    expect(said).toContain('TENON_BASE_URL');
    expect(said).toContain('TENON_MODEL');
    expect(said).not.toContain('sk-secret');
    expect(client.notes).toHaveLength(1);
    await client.leave();
  });

  it('checks arguments first and names the one that is wrong', async () => {
    const client = await start({});
    const wrong = await client.ask('tools/call', { name: 'consensus', arguments: { prompt: 'p', n: 10 } });
    expect(wrong['isError']).toBe(true);
    expect(JSON.stringify(wrong['content'])).toMatch(/\\"n\\".*at most 9/);
    const unknown = await client.ask('tools/call', { name: 'consensus', arguments: { prompt: 'p', tmp: 1 } });
    expect(JSON.stringify(unknown['content'])).toMatch(/\\"tmp\\" is not allowed here/);
    const blank = await client.ask('tools/call', { name: 'react_loop', arguments: { prompt: ' ' } });
    expect(JSON.stringify(blank['content'])).toContain('prompt must not be blank');
    await client.leave();
  });
});

describe('tenon serve with a model', () => {
  it('answers with text and structured content', async () => {
    const base = await startProvider('42');
    const client = await start({ TENON_BASE_URL: base, TENON_MODEL: 'small' });
    expect(client.notes[0]).toMatch(/with .*small$/);
    const args = { prompt: 'p', n: null, temperature: null };
    const result = await client.ask('tools/call', { name: 'consensus', arguments: args });
    expect(result['isError']).not.toBe(true);
    expect(result['structuredContent']).toMatchObject({
      answer: '42',
      agreement: 1,
      distinctAnswers: 1,
      usage: { inputTokens: 30, outputTokens: 6, calls: 3 },
    });
    await client.leave();
  });

  it('says that the key was refused without showing it', async () => {
    const base = await startProvider('', 401);
    const client = await start({
      TENON_BASE_URL: base,
      TENON_MODEL: 'small',
      TENON_API_KEY: 'sk-secret-secret',
    });
    const result = await client.ask('tools/call', { name: 'react_loop', arguments: { prompt: 'p' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { kind: 'auth', cost: { calls: 1 } } });
    expect(JSON.stringify(result)).not.toContain('sk-secret');
    expect(client.notes.join()).not.toContain('sk-secret');
    const { reference } = result['structuredContent'] as { reference: string };
    expect(client.notes.slice(1)).toEqual([
      expect.stringMatching(`^tenon serve: ${reference}: auth: .*answered 401: bad key [^\\n]*$`),
    ]);
    await client.leave();
  });

  it('tells a page behind a wrong address from a blank answer, and shows it to the operator alone', async () => {
    provider = createServer((request, response) => {
      request.resume().on('end', () => response.end('<!doctype html><title>The wiki of ours</title>'));
    });
    await new Promise<void>(done => provider?.listen(0, '127.0.0.1', done));
    const { port } = provider.address() as AddressInfo;
    const client = await start({ TENON_BASE_URL: `http://127.0.0.1:${port}`, TENON_MODEL: 'small' });
    const result = await client.ask('tools/call', { name: 'react_loop', arguments: { prompt: 'p' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { kind: 'decode', retryable: true } });
    expect(JSON.stringify(result)).toMatch(/did not answer with what this API sends.*TENON_BASE_URL/);
    expect(JSON.stringify(result)).not.toMatch(/blank|wiki/);
    expect(client.notes[1]).toContain('The wiki of ours');
    await client.leave();
  });

  it('does not show callers where a redirect leads', async () => {
    provider = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(302, { location: 'http://inner.example/secret-path' });
        response.end();
      });
    });
    await new Promise<void>(done => provider?.listen(0, '127.0.0.1', done));
    const { port } = provider.address() as AddressInfo;
    const client = await start({ TENON_BASE_URL: `http://127.0.0.1:${port}`, TENON_MODEL: 'small' });
    const result = await client.ask('tools/call', { name: 'react_loop', arguments: { prompt: 'p' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { kind: 'configuration' } });
    expect(JSON.stringify(result)).toContain('TENON_BASE_URL');
    expect(JSON.stringify(result)).not.toContain('inner.example');
    expect(client.notes[1]).toContain('inner.example/secret-path');
    await client.leave();
  });
});

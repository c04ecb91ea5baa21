import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../test/fixtures/eras/router.ts';
import { HttpTalk } from '../../test/fixtures/http/era-talk.ts';

guardRejections();

const methods = [
  'initialize',
  'ping',
  'tools/call',
  'tools/list',
  'server/discover',
  'subscriptions/listen',
  'notifications/cancelled',
  'logging/setLevel',
  '__proto__',
  'toString',
];

const meta = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.oneof(fc.constant('2026-07-28'), fc.jsonValue()),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), fc.jsonValue()),
    progressToken: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const nearMessage = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: fc.jsonValue() }),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.oneof(fc.constantFrom(...methods), fc.jsonValue()),
    params: fc.oneof(
      fc.record({ _meta: fc.oneof(meta, fc.jsonValue()), name: fc.jsonValue() }, { requiredKeys: [] }),
      fc.jsonValue(),
    ),
    result: fc.jsonValue(),
    error: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const body = fc.oneof(nearMessage, fc.array(nearMessage, { maxLength: 3 }), fc.jsonValue());

const headers = fc.record(
  {
    'mcp-protocol-version': fc.oneof(
      fc.constantFrom('2026-07-28', '2025-11-25', '2025-03-26', '9999-12-31'),
      fc.string(),
    ),
    'mcp-session-id': fc.oneof(fc.constant('theirs'), fc.string()),
    'mcp-method': fc.oneof(fc.constantFrom(...methods), fc.string()),
    'mcp-name': fc.string(),
    'last-event-id': fc.oneof(fc.constant('a-1.0'), fc.string()),
  },
  { requiredKeys: [] },
);

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe.each([{}, { sse: true }, { sessions: false }, { sessions: 'none' }] as const)(
  'a server over HTTP with %j',
  options => {
    it('has a reply to whatever comes, and reports no bug', async () => {
      const router = testRouter({ 'tools/call': () => ({ value: {} }), 'tools/list': () => ({ value: {} }) });
      const served = new HttpTalk(router, options);
      const session = await served.open();
      const method = fc.constantFrom('POST' as const, 'POST' as const, 'POST' as const, 'GET' as const);
      const accepts = fc.constantFrom(
        { json: true, stream: true },
        { json: true, stream: false },
        { json: false, stream: true },
      );
      await fc.assert(
        fc.asyncProperty(body, headers, method, accepts, async (given, named, how, takes) => {
          const known = named['mcp-session-id'] === 'theirs' ? { 'mcp-session-id': session } : {};
          const all = { ...(named as Record<string, string>), ...known };
          const reply = served.send(how === 'GET' ? undefined : given, {
            method: how,
            accepts: how === 'GET' ? { json: false, stream: true } : takes,
            headers: all,
          });
          await turn();
          expect(reply.status).toBeDefined();
          reply.leave();
        }),
        { numRuns: 400 },
      );
      expect(router.reports).toEqual([]);
      await served.acceptor.close('over');
      expect([router.listeners, served.clock.pending]).toEqual([0, 0]);
    });
  },
);

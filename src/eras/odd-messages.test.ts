import fc from 'fast-check';
import { expect, it } from 'vitest';
import { discovered, initialized } from '../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../test/fixtures/eras/router.ts';
import { type Peer, scriptedChannel, turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, limits, negotiation } from '../../test/fixtures/eras/seat.ts';
import { enveloped, type Got, Talk } from '../../test/fixtures/eras/talk.ts';
import { isId } from '../rpc/message.ts';
import { serveEras } from './for-servers.ts';
import { negotiate } from './negotiate.ts';

guardRejections();

const json = fc.jsonValue({ maxDepth: 3 });
const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'logging/setLevel',
  'server/discover',
  'subscriptions/listen',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/resources/updated',
  'notifications/subscriptions/acknowledged',
  'elicitation/create',
  'roots/list',
];
const members = fc.record(
  {
    protocolVersion: fc.oneof(fc.constantFrom('2025-03-26', '2025-11-25'), json),
    requestId: json,
    progressToken: json,
    progress: json,
    notifications: fc.oneof(fc.constant({ toolsListChanged: true }), json),
    requestState: json,
    inputResponses: json,
    level: json,
    uri: json,
    _meta: fc.oneof(
      fc.constant(enveloped()['_meta']),
      fc.record({ 'io.modelcontextprotocol/protocolVersion': json }),
      json,
    ),
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: json }),
    id: fc.oneof({ weight: 4, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.string() }, json),
    method: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...methods) }, { weight: 1, arbitrary: json }),
    params: fc.oneof({ weight: 8, arbitrary: members }, { weight: 1, arbitrary: json }),
    result: json,
    error: json,
  },
  { requiredKeys: [] },
);
const request = message.map(({ result: _result, error: _error, ...rest }) => rest);
const anything = fc.oneof(
  message,
  request,
  request,
  json,
  fc.array(fc.oneof(request, json), { maxLength: 4 }),
);

it('a server answers any sequence of odd messages by the rules, and goes on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { maxLength: 12 }), async values => {
      const router = testRouter({
        'tools/list': () => ({ value: { tools: [] } }),
        'tools/call': async call => ({ value: { content: [await call.ask('k', { kind: 'roots' })] } }),
      });
      const talk = new Talk(serveEras(router));
      for (const value of values) talk.say(value);
      await turn();
      for (const answer of talk.got.flat() as Got[]) {
        if (answer.method !== undefined) continue;
        expect(answer.id === null || isId(answer.id)).toBe(true);
        expect('result' in answer).not.toBe('error' in answer);
      }
      const probe = talk.ask('server/discover', enveloped(), 'the last one');
      expect((await probe).result?.supportedVersions).toEqual(['2026-07-28']);
      expect(router.reports).toEqual([]);
      const closed = talk.inlet.close('over', 10);
      talk.clock.advance(10);
      await closed;
      expect([talk.clock.pending, router.listeners]).toEqual([0, 0]);
    }),
    { numRuns: 300 },
  );
});

it.each(['2025-11-25', '2026-07-28'] as const)(
  'a client in %s survives any sequence of odd messages, and still gets its answer',
  async protocol => {
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 12 }), async values => {
        const channel = scriptedChannel([
          (sent, peer) => {
            if (sent.method === 'server/discover') peer.reply(sent, discovered);
            if (sent.method === 'initialize') peer.reply(sent, initialized());
          },
        ]);
        const options = negotiation({ protocol });
        const { era, link } = await negotiate(channel, clientSeat({ logLevel: 'info' }), options);
        const [peer] = channel.peers as [Peer];
        // The odd messages use small ids; these calls are beyond them.
        for (let count = 0; count < 6; count += 1)
          void era.call('tools/list', {}, { limits }).catch(() => {});
        const call = era.call('tools/list', {}, { limits });
        const mine = peer.sent.at(-1);
        const text = JSON.stringify(values);
        fc.pre(!text.includes(`"id":${mine?.id}`) && !text.includes(`"id":"${mine?.id}"`));
        for (const value of values) peer.emit(value);
        await turn();
        if (mine) peer.reply(mine, { tools: ['mine'] });
        expect((await call).value['tools']).toEqual(['mine']);
        for (const { method, error } of peer.sent) {
          // A client never sends an error that answers nothing.
          if (method === undefined && error) expect([-32601, -32602, -32603]).toContain(error.code);
        }
        await link.close();
        expect([link.inflight.size, options.clock.pending]).toEqual([0, 0]);
      }),
      { numRuns: 300 },
    );
  },
);

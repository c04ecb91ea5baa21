/** The official clients list and call the tools of our server, in each of their modes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, buildOurServer } from './our-server.ts';
import { describePeer, type PeerName, type PlannedCall, runOfficialClient, type Seen } from './peers.ts';

type Mode = Parameters<typeof runOfficialClient>[0];

const modes: readonly { readonly title: string; readonly client: Mode; readonly revision: string }[] = [
  { title: 'the 1.x client', client: ['sdk-v1'], revision: '2025-11-25' },
  { title: 'the 2.x client in its default mode', client: ['sdk-v2'], revision: '2025-11-25' },
  { title: 'the 2.x client that negotiates', client: ['sdk-v2', 'auto'], revision: '2026-07-28' },
  { title: 'the 2.x client pinned to 2026-07-28', client: ['sdk-v2', '2026-07-28'], revision: '2026-07-28' },
];
const calls: readonly PlannedCall[] = [
  { name: 'add', arguments: { a: 20, b: 22 } },
  { name: 'say', arguments: { text: 'é—😀' } },
  { name: 'fail', arguments: {} },
  { name: 'add', arguments: { a: 'x' } },
  { name: 'nobody', arguments: {} },
  { name: 'wait', arguments: {}, cancel: true },
  { name: 'aborted', arguments: {} },
  { name: 'fail_typed', arguments: {} },
];

let server: BuiltServer;
beforeAll(async () => {
  server = await buildOurServer();
});
afterAll(() => server?.remove());

for (const { title, client, revision } of modes) {
  const peer: PeerName = client[0];
  describePeer(peer, title, () => {
    let seen: Seen;
    beforeAll(async () => {
      seen = await runOfficialClient(client, server, calls);
    });

    test(`speaks ${revision} and sees who the server is`, () => {
      expect(seen.revision).toBe(revision);
      expect(seen.server).toMatchObject({ name: 'our-server', version: '1.2.3' });
      expect(seen.instructions).toBe('Adds, fails and waits.');
      expect(seen.capabilities['tools']).toBeDefined();
    });

    test('lists the tools with their schemas', () => {
      expect(seen.tools.map(({ name }) => name)).toEqual([
        'add',
        'say',
        'fail',
        'fail_typed',
        'wait',
        'aborted',
      ]);
      expect(seen.tools[0]).toMatchObject({
        description: 'Adds two numbers.',
        inputSchema: { type: 'object', required: ['a', 'b'] },
        outputSchema: { type: 'object', required: ['sum'] },
        annotations: { readOnlyHint: true },
      });
    });

    test('gets structured data that fits the output schema, with its text', () => {
      expect(seen.results[0]).toMatchObject({ structuredContent: { sum: 42 } });
      expect(JSON.parse(seen.results[0]?.content?.[0]?.text ?? '')).toEqual({ sum: 42 });
    });

    test('gets text unharmed though the tool wrote to the console', () => {
      expect(seen.results[1]?.content).toEqual([{ type: 'text', text: 'é—😀' }]);
    });

    test('gets a failing tool and wrong arguments as isError', () => {
      expect(seen.results[2]).toMatchObject({ isError: true });
      expect(seen.results[2]?.content?.[0]?.text).toContain('there is nothing to do');
      expect(seen.results[3]).toMatchObject({ isError: true });
      expect(seen.results[3]?.content?.[0]?.text).toContain('a');
    });

    test('gets the words of a failing tool whose data does not fit what it owes', () => {
      expect(seen.results[7]).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'there are too few' }],
      });
    });

    test('gets an unknown tool as -32602 that names it', () => {
      expect(seen.results[4]).toMatchObject({ code: -32602 });
      expect(seen.results[4]?.thrown).toContain('nobody');
    });

    test('gets progress and can cancel: the tool sees it', () => {
      expect(seen.results[5]?.progress).toEqual([{ progress: 1, total: 2, message: 'waiting' }]);
      expect(seen.results[5]?.thrown).toBeDefined();
      expect(seen.results[6]?.content?.[0]?.text).toBe('1');
    });
  });
}

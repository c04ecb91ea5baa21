import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundled, bundled } from '../fixtures/bundled.ts';
import { type Bridge, bridges } from './matrix/bridges.ts';
import { crossBridge, visitUs } from './matrix/run-programs.ts';
import { visitors } from './matrix/visitors.ts';
import { describePeer } from './peers.ts';

/** One of each kind; the long tier has them all. */
const [visiting, bridging] = ['ai-sdk-1', 'mcp-proxy'] as const;

let program: Bundled;
const ours = (): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [program.program],
});
beforeAll(async () => {
  program = await bundled('matrix-server');
});
afterAll(() => program.remove());

describePeer(visiting, 'a published client', () => {
  for (const visitor of visitors.filter(({ peer }) => peer === visiting)) {
    test.each(['stdio', 'http'] as const)(
      `${visitor.id} lists and calls our server over %s`,
      async transport => {
        const { tools, sum, spoken } = await visitUs(visitor, transport, ours());
        expect(tools).toContain('add');
        expect(sum).toEqual({ sum: 42 });
        expect(spoken).toBe(transport === 'http' ? visitor.revision : undefined);
      },
    );
  }
});

describePeer(bridging, 'a published bridge', () => {
  for (const bridge of bridges.filter(({ peer }) => peer === bridging)) {
    test.each(Object.entries(bridge.revisions))(
      `${bridge.id} (${bridge.mode}) lets our client reach our server, asking for %s`,
      async (protocol, revision) => {
        const seen = await crossBridge(bridge, protocol as keyof Bridge['revisions'], ours());
        expect(seen.tools).toContain('add');
        expect(seen.sum).toEqual({ sum: 42 });
        expect(seen.spoken).toBe(revision);
      },
    );
  }
});

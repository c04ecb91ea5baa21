/** Every cell of the cross matrix, the known faults too; with `TENON_INTEROP_RESULTS` what came out is written there. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bundled, bundled } from '../fixtures/bundled.ts';
import { type Bridge, bridges } from '../interop/matrix/bridges.ts';
import { columns } from '../interop/matrix/columns.ts';
import { faultOf } from '../interop/matrix/faults.ts';
import { behaviourRows, faultReasons, type Results, readVersions } from '../interop/matrix/results.ts';
import { runColumn } from '../interop/matrix/run.ts';
import { crossBridge, visitUs } from '../interop/matrix/run-programs.ts';
import { visitors } from '../interop/matrix/visitors.ts';

const results: Results = {
  versions: readVersions(),
  behaviours: behaviourRows(),
  faults: faultReasons(),
  columns: [],
  visitors: [],
  bridges: [],
};
const sum = { sum: 42 };
let program: Bundled;
const ours = (): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [program.program],
});

beforeAll(async () => {
  program = await bundled('matrix-server');
});
afterAll(() => {
  program.remove();
  const file = process.env['TENON_INTEROP_RESULTS'];
  if (file) writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
});

describe('our end and an official one', () => {
  for (const column of columns) {
    test(`agree in all but the faults of the peer, which are still there: ${column.id}`, async () => {
      const isKnown = (behaviour: string): boolean => faultOf(column, behaviour) !== undefined;
      const outcomes = await runColumn(column, ours(), { isKnown, record: true });
      const cells = outcomes.map(({ behaviour, passed, ...more }) => {
        const fault = passed === false ? faultOf(column, behaviour)?.id : undefined;
        return {
          behaviour,
          result: passed === undefined ? 'absent' : passed ? 'passed' : 'failed',
          fault,
          ...more,
        };
      });
      const { peer, peerIs, transport, mode, revision, flags, id } = column;
      results.columns.push({ id, peer, peerIs, transport, mode, revision, flags, cells });
      expect(outcomes.filter(({ behaviour, passed }) => passed === false && !isKnown(behaviour))).toEqual([]);
      expect(outcomes.filter(({ behaviour, passed }) => passed && isKnown(behaviour))).toEqual([]);
    });
  }
});

describe('our server is listed and called', () => {
  for (const visitor of visitors) {
    test.each(['stdio', 'http'] as const)(`by ${visitor.id} (${visitor.mode}) over %s`, async transport => {
      const { id, peer, mode, revision } = visitor;
      const { tools, sum: got, spoken } = await visitUs(visitor, transport, ours());
      expect(tools).toContain('add');
      expect(got).toEqual(sum);
      if (transport === 'http') expect(spoken).toBe(revision);
      results.visitors.push({ id, peer, mode, transport, revision: spoken });
    });
  }
});

describe('our client reaches our server', () => {
  for (const bridge of bridges) {
    const protocols = Object.entries(bridge.revisions);
    test.each(protocols)(
      `through ${bridge.id} (${bridge.mode}), ${bridge.from} to ${bridge.to}, asking for %s`,
      async (protocol, revision) => {
        const { id, peer, mode, from, to } = bridge;
        const seen = await crossBridge(bridge, protocol as keyof Bridge['revisions'], ours());
        expect(seen.tools).toContain('add');
        expect(seen.sum).toEqual(sum);
        expect(seen.spoken).toBe(revision);
        results.bridges.push({ id, peer, mode, from, to, protocol, revision: seen.spoken });
      },
    );
  }
});

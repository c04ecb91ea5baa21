import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundled, bundled } from '../fixtures/bundled.ts';
import { behaviours } from './matrix/behaviours.ts';
import { columns } from './matrix/columns.ts';
import { faultOf } from './matrix/faults.ts';
import { exists, folderOf, runColumn } from './matrix/run.ts';
import { describePeer } from './peers.ts';

let program: Bundled;
beforeAll(async () => {
  program = await bundled('matrix-server');
});
afterAll(() => program.remove());

for (const column of columns) {
  const { peerIs, peer } = column;
  const title =
    peerIs === 'server' ? `our client and the ${peer} server` : `the ${peer} client and our server`;
  describePeer(folderOf(column), title, () => {
    test(`agree in all that is not a known fault: ${column.id}`, { timeout: 120_000 }, async () => {
      const ours = { command: process.execPath, args: [program.program] };
      const isKnown = (behaviour: string): boolean => faultOf(column, behaviour) !== undefined;
      const outcomes = await runColumn(column, ours, { isKnown });
      expect(outcomes.filter(({ passed }) => passed === false)).toEqual([]);
      const expected = behaviours.filter(each => exists(each, column) && !isKnown(each.id));
      expect(outcomes.filter(({ passed }) => passed).map(({ behaviour }) => behaviour)).toEqual(
        expected.map(({ id }) => id),
      );
    });
  });
}

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drawInterop, placeInterop, recorded } from '../../scripts/interop.mjs';
import { behaviours } from './matrix/behaviours.ts';
import { bridges } from './matrix/bridges.ts';
import { columns } from './matrix/columns.ts';
import { faultOf } from './matrix/faults.ts';
import { behaviourRows, faultReasons, type Results, readVersions } from './matrix/results.ts';
import { exists } from './matrix/run.ts';
import { visitors } from './matrix/visitors.ts';

const results = JSON.parse(readFileSync(recorded, 'utf8')) as Results;

it('holds a result for every cell, with the exchange where it is a fault of the peer', () => {
  const expected = columns.map(column => ({
    id: column.id,
    cells: behaviours.map(behaviour => {
      const fault = faultOf(column, behaviour.id);
      const result = !exists(behaviour, column) ? 'absent' : fault ? 'failed' : 'passed';
      return { behaviour: behaviour.id, result, fault: result === 'failed' ? fault?.id : undefined };
    }),
  }));
  const got = results.columns.map(({ id, cells }) => ({
    id,
    cells: cells.map(({ behaviour, result, fault }) => ({ behaviour, result, fault })),
  }));
  expect(got, 'run npm run interop').toEqual(expected);
  const faulty = results.columns.flatMap(({ cells }) => cells).filter(({ result }) => result === 'failed');
  for (const { behaviour, exchange = [] } of faulty) {
    expect(exchange.join('\n'), behaviour).toContain('"tools/call"');
  }
});

it('holds every program that was tried', () => {
  const visits = visitors.flatMap(({ id, mode, revision }) => [
    { id, mode, transport: 'stdio', revision: undefined },
    { id, mode, transport: 'http', revision },
  ]);
  const got = results.visitors.map(({ id, mode, transport, revision }) => ({
    id,
    mode,
    transport,
    revision,
  }));
  expect(got, 'run npm run interop').toEqual(visits);
  const crossings = bridges.flatMap(({ id, mode, revisions }) =>
    Object.entries(revisions).map(([protocol, revision]) => ({ id, mode, protocol, revision })),
  );
  expect(
    results.bridges.map(({ id, mode, protocol, revision }) => ({ id, mode, protocol, revision })),
    'run npm run interop',
  ).toEqual(crossings);
});

it('was recorded with the versions that are pinned, for the behaviours there are', () => {
  expect(results.versions, 'run npm run interop').toEqual(readVersions());
  expect(results.behaviours, 'run npm run interop').toEqual(behaviourRows());
  expect(results.faults, 'run npm run interop').toEqual(faultReasons());
});

it('is what docs/interop.md shows', () => {
  const page = readFileSync(new URL('../../docs/interop.md', import.meta.url), 'utf8');
  expect(page, 'run npm run interop').toBe(placeInterop(page, drawInterop(results)));
});

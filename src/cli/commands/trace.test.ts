import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, type CommandUnderTest } from '../../../test/fixtures/command.ts';

let tenon: CommandUnderTest;
beforeAll(async () => {
  tenon = await buildCommand();
});
afterEach(() => tenon.clear());
afterAll(() => tenon.remove());

const lines = [
  { type: 'recording', version: 1, command: 'tenon run', started: '2026-01-01T00:00:00.000Z' },
  { type: 'event', at: 1, event: { type: 'model-start', turn: 1, model: 'm' } },
  {
    type: 'event',
    at: 1501,
    event: { type: 'model-end', turn: 1, usage: { inputTokens: 1, outputTokens: 2, requests: 1 } },
  },
];
const recording = lines.map(line => JSON.stringify(line)).join('\n');

describe('tenon trace', () => {
  it('prints what a recording holds', async () => {
    tenon.put('run.jsonl', recording);
    const { code, out, err } = await tenon.run('trace', 'run.jsonl');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^tenon run, 2026-01-01T00:00:00\.000Z, 1\.50 s\n1 model calls/);
  });

  it('writes a page', async () => {
    tenon.put('run.jsonl', recording);
    const { code, out } = await tenon.run('trace', 'run.jsonl', '--page', 'run.html');
    expect([code, out]).toEqual([0, '']);
    expect(readFileSync(join(tenon.folder, 'run.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });

  it('prints the steps as data, and says what it could not read', async () => {
    tenon.put('run.jsonl', `${recording}\n{"type":`);
    const { code, out, err } = await tenon.run('trace', 'run.jsonl', '--json');
    expect(code).toBe(0);
    expect(err).toContain('1 line could not be read, first line 4');
    expect(JSON.parse(out)).toMatchObject({ steps: [{ kind: 'model', from: 1, to: 1501 }] });
  });

  it.each([
    [['trace'], 2, /which recording/],
    [['trace', 'none.jsonl'], 1, /none\.jsonl cannot be read/],
    [['trace', 'other.json'], 1, /no recording/],
  ])('%j ends with %i', async (args, code, message) => {
    tenon.put('other.json', '{}');
    const ran = await tenon.run(...args);
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(message);
  });
});

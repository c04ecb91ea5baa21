import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../command.ts';
import { openRecording } from './recording-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-recording-'));
  file = join(folder, 'run.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const terminal = { warn() {} };
const record = (): void => openRecording(file, 'tenon x', terminal).close();
const types = (): readonly unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { event?: { type: string }; type: string }).event?.type ?? 'start');

describe('a recording in a file', () => {
  it('begins anew where there was one, and says that it came to its end', () => {
    record();
    record();
    expect(types()).toEqual(['start', 'end']);
  });

  it.skipIf(process.platform === 'win32')(
    'is readable by its owner alone, also where it was there already (skipped on Windows)',
    () => {
      writeFileSync(file, '', { mode: 0o644 });
      record();
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

  it('replaces nothing that is none', () => {
    writeFileSync(file, '{"mcpServers":{}}');
    expect(record).toThrow(UsageError);
    expect(record).toThrow(/--record: .*run\.jsonl holds something else than a recording/);
    expect(readFileSync(file, 'utf8')).toBe('{"mcpServers":{}}');
  });

  it('may be ended twice, and leaves no listener', () => {
    const before = process.listenerCount('SIGTERM');
    const recording = openRecording(file, 'tenon x', terminal);
    expect(process.listenerCount('SIGTERM')).toBe(before + 1);
    recording.close();
    recording.close();
    expect(process.listenerCount('SIGTERM')).toBe(before);
    expect(types()).toEqual(['start', 'end']);
  });
});

import { describe, expect, it } from 'vitest';
import { DiagnosticLog } from './diagnostics.ts';

const numbered = (index: number) => ({ kind: 'test', message: String(index) });

describe('what a client noticed', () => {
  it('is kept up to the last 200, oldest first', () => {
    const log = new DiagnosticLog(undefined);
    for (let index = 0; index < 450; index += 1) log.add(numbered(index));
    expect(log.entries).toEqual(Array.from({ length: 200 }, (_none, index) => numbered(index + 250)));
  });

  it('is told as it happens, all of it', () => {
    const told: string[] = [];
    const log = new DiagnosticLog(({ message }) => told.push(message));
    for (let index = 0; index < 450; index += 1) log.add(numbered(index));
    expect(told).toHaveLength(450);
  });

  it('survives a listener that throws', () => {
    const log = new DiagnosticLog(() => {
      throw new Error('mine');
    });
    log.add(numbered(1));
    expect(log.entries).toEqual([numbered(1)]);
  });

  it('cannot be changed by who reads it', () => {
    const log = new DiagnosticLog(undefined);
    log.add(numbered(1));
    (log.entries as unknown[]).length = 0;
    expect(log.entries).toHaveLength(1);
  });
});

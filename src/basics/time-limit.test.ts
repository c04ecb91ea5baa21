import { describe, expect, it } from 'vitest';
import { manualClock } from './manual-clock.ts';
import { runWithin, type TimeLimit } from './time-limit.ts';

function limited(limit: Partial<TimeLimit> = {}) {
  const clock = manualClock();
  const facts: TimeLimit = {
    ms: 100,
    clock,
    signal: undefined,
    expired: ms => new Error(`over after ${ms} ms`),
    ...limit,
  };
  return { clock, facts };
}

const never = (): Promise<never> => new Promise(() => {});

describe('work with a limit of time', () => {
  it('gives its outcome and leaves no timer', async () => {
    const { clock, facts } = limited();
    await expect(runWithin(facts, () => 'done')).resolves.toBe('done');
    expect(clock.pending).toBe(0);
  });

  it('rejects with what it throws at once or later', async () => {
    const { clock, facts } = limited();
    const fail = (): never => {
      throw new Error('at once');
    };
    await expect(runWithin(facts, fail)).rejects.toThrow('at once');
    await expect(runWithin(facts, () => Promise.reject(new Error('later')))).rejects.toThrow('later');
    expect(clock.pending).toBe(0);
  });

  it('ends when the time is over, and its signal says so, whatever it makes of that', async () => {
    const { clock, facts } = limited();
    let reason: unknown;
    const outcome = runWithin(
      facts,
      signal =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(new Error('its own words'));
          });
        }),
    );
    clock.advance(99);
    expect(reason).toBeUndefined();
    clock.advance(1);
    await expect(outcome).rejects.toThrow('over after 100 ms');
    expect(reason).toMatchObject({ message: 'over after 100 ms' });
  });

  it.each([undefined, Number.POSITIVE_INFINITY])('has none with %s milliseconds', async ms => {
    const { clock, facts } = limited({ ms });
    let finish: (value: string) => void = () => {};
    const outcome = runWithin(
      facts,
      () =>
        new Promise<string>(resolve => {
          finish = resolve;
        }),
    );
    expect(clock.pending).toBe(0);
    finish('done');
    await expect(outcome).resolves.toBe('done');
  });

  it('ends with the reason of the signal at once, before everything else', async () => {
    const controller = new AbortController();
    const { clock, facts } = limited({ signal: controller.signal });
    const outcome = runWithin(facts, never);
    const why = new Error('enough');
    controller.abort(why);
    await expect(outcome).rejects.toBe(why);
    await expect(runWithin(facts, () => Promise.reject(new Error('its own words')))).rejects.toBe(why);
    expect(clock.pending).toBe(0);
  });
});

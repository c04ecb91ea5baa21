import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ScriptedResponse } from '../../testing/scripted.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { byRound, callsOf, crash, noting, type ReactCheckpoint, round } from '../fixtures/react-runs.ts';
import { reactLoop } from '../react.ts';

it('a run that crashes at any checkpoint, twice, comes to what one that does not comes to', async () => {
  const names = ['write', 'look', 'broken', 'nothing'] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 }),
      fc.nat(30),
      fc.nat(30),
      async (plan, concurrency, delays, first, second) => {
        const rounds = plan.map((calls, index): ScriptedResponse => round(index + 1, ...calls));
        const make = (ran: string[]): readonly AnyTool[] => {
          let started = 0;
          const work = async (): Promise<string> => {
            const delay = delays[started++ % delays.length] ?? 0;
            for (let tick = 0; tick < delay; tick += 1) await Promise.resolve();
            return 'done';
          };
          const fail = (): never => {
            throw new Error('broken');
          };
          return [
            noting('write', ran, { work }),
            noting('look', ran, { work, annotations: { readOnlyHint: true } }),
            noting('broken', ran, { work: fail }),
          ];
        };
        const straight: string[] = [];
        const calm = byRound(rounds);
        let made = 0;
        const onCheckpoint = (): void => {
          made += 1;
        };
        const whole = await reactLoop(calm, 'go', { tools: make(straight), concurrency, onCheckpoint });

        const ran: string[] = [];
        const model = byRound(rounds);
        const options = { tools: make(ran), concurrency };
        let resume: ReactCheckpoint | undefined;
        let wasRunning = false;
        let result: unknown;
        for (const number of [first % made, second, Number.POSITIVE_INFINITY]) {
          const run = await crash(number, model, { ...options, resume });
          ({ result } = run);
          if (run.kept === undefined) break;
          resume = run.kept;
          wasRunning ||= callsOf(resume).includes('started');
        }

        expect(resume).toBeDefined();
        expect(model.requests).toHaveLength(calm.requests.length);
        const once = ran.filter(id => !id.startsWith('look'));
        expect(new Set(once).size).toBe(once.length);
        if (wasRunning) {
          const { cost, value, evidence } = result as typeof whole;
          expect({ cost, value, rounds: evidence.rounds }).toEqual({
            cost: whole.cost,
            value: whole.value,
            rounds: whole.evidence.rounds,
          });
        } else {
          expect(result).toEqual(whole);
          expect(ran.sort()).toEqual(straight.sort());
        }
      },
    ),
    { numRuns: 300 },
  );
}, 300_000);

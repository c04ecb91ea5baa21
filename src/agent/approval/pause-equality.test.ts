import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ScriptedStep, scripted } from '../../testing/scripted.ts';
import { Agent } from '../agent.ts';
import { isRunError } from '../errors.ts';
import { throughJson, workshop } from '../fixtures/workshop.ts';
import type { RunResult } from '../run-plan.ts';
import type { PausedRun } from './pause-run.ts';

const calls = fc.record({
  name: fc.constantFrom('read', 'erase', 'burn', 'none'),
  at: fc.constantFrom('a', 'bad', undefined),
  allowed: fc.boolean(),
  /** In which round of decisions it is decided. */
  round: fc.integer({ min: 0, max: 2 }),
});
const plans = fc.record({
  turns: fc.array(fc.array(calls, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  toolRetries: fc.integer({ min: 0, max: 3 }),
  onToolFailure: fc.constantFrom('budget', 'observe'),
  toolCalls: fc.constantFrom(3, 100),
});

/** All that can be told of how a run ended. */
async function endOf(run: Promise<RunResult | PausedRun>): Promise<unknown> {
  const end = await run.catch((error: unknown) => error);
  if (isRunError(end)) {
    const { stage, message, messages, usage, counts } = end;
    // A call that ends the run ends it before anybody decides about the calls beside it.
    if (stage === 'tool') return { stage, turns: counts.turns, usage };
    return { stage, message, messages: [...messages], usage, counts };
  }
  const { output, messages, usage, counts, notes } = end as RunResult;
  return { output, messages, usage, counts, notes };
}

it('a run that is paused, however often and in whatever order it is decided, ends as one that is not', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ turns, toolRetries, onToolFailure, toolCalls }) => {
      const decided = new Map<string, { readonly allowed: boolean; readonly round: number }>();
      const steps: ScriptedStep[] = turns.map((turn, number) => ({
        text: `turn ${number}`,
        usage: { inputTokens: number + 1, outputTokens: 1 },
        toolCalls: turn.map(({ name, at, ...decision }, index) => {
          const id = `${number}-${index}`;
          decided.set(id, decision);
          return { id, name, arguments: at === undefined ? {} : { path: at } };
        }),
      }));
      const make = () => {
        const { read, erase, make: tool } = workshop();
        // Needs approval for some of its arguments only.
        return [read, erase, tool('burn', ({ path }) => path === 'a')];
      };
      const settings = { toolRetries, onToolFailure, limits: { toolCalls } } as const;
      const straight = new Agent({
        ...settings,
        model: scripted([...steps, 'the end']),
        tools: make(),
        approve: ({ callId }) => decided.get(callId)?.allowed === true,
      });
      const paused = async (): Promise<RunResult | PausedRun> => {
        const agent = (from: number) =>
          new Agent({
            ...settings,
            model: scripted([...steps, 'the end'].slice(from)),
            tools: make(),
            pause: true,
          });
        let at: RunResult | PausedRun = await agent(0).run('go');
        for (let round = 0; at.paused === true; round += 1) {
          const now = at.pending.filter(({ id }) => (decided.get(id)?.round ?? 0) <= round % 3);
          const decisions = now.map(({ id }) => [id, decided.get(id)?.allowed === true] as const);
          at = await agent(at.counts.turns).resume(throughJson(at), Object.fromEntries(decisions));
        }
        return at;
      };
      expect(await endOf(paused())).toEqual(await endOf(straight.run('go')));
    }),
    { numRuns: 150 },
  );
});

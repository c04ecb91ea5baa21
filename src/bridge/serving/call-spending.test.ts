import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import { connect } from '../../client/client.ts';
import { type Revision, revisions } from '../../eras/versions.ts';
import { Budget, type BudgetLimits } from '../../patterns/budget/budget.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';
import { servePatterns } from './serve-patterns.ts';

const clock = manualClock();
const write: AnyTool = tool({
  name: 'write',
  description: 'Writes',
  needsApproval: true,
  run: () => {
    clock.advance(40);
    return 'done';
  },
});

/** A loop that never ends by itself, each of whose calls is asked about: a person takes an hour to answer. */
async function spend(
  callBudget: BudgetLimits,
  protocol: Revision,
): Promise<{ readonly models: number; readonly result: unknown; readonly process: Budget }> {
  const usage = { inputTokens: 10, outputTokens: 10 };
  const model = scripted([{ toolCalls: [{ name: 'write' }], usage }], { cycle: true });
  const process = new Budget({ calls: 1000 }, clock);
  const tools = servePatterns({
    ...{ model, patterns: { react_loop: { maxRounds: 8 } }, tools: [write], budget: process, callBudget },
    onError: () => {},
  });
  const client = await connect(new Server({ name: 'p', version: '1', tools }), {
    protocol,
    onElicit: () => {
      clock.advance(3_600_000);
      return { action: 'accept', content: { approve: true } };
    },
  });
  const result = await client.call('react_loop', { prompt: 'go', max_rounds: 8 });
  await client.close();
  return { models: model.requests.length, result, process };
}

describe('the budget of a call that waits for approvals', () => {
  it.each<[string, BudgetLimits, number]>([
    ['of calls', { calls: 3 }, 3],
    ['of money', { money: 0.0006, rates: { input: 0, output: 10 } }, 6],
    ['of tokens of output', { outputTokens: 25 }, 3],
    ['of time, in which nobody was asked,', { ms: 100 }, 3],
  ])('%s is one over all its rounds', async (_what, callBudget, models) => {
    for (const protocol of revisions.slice(-2)) {
      const spent = await spend(callBudget, protocol);
      expect(spent.models).toBe(models);
      expect(spent.result).toMatchObject({
        isError: true,
        structuredContent: { kind: 'budget', retryable: false, cost: { calls: models } },
      });
      expect(spent.process.spent.calls).toBe(models);
    }
  });
});

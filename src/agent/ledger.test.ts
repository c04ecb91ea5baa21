import { describe, expect, it } from 'vitest';
import { BudgetError } from '../models/budget-error.ts';
import { withApproval } from '../patterns/approval/with-approval.ts';
import { type ScriptedStep, scripted } from '../testing/scripted.ts';
import { tool } from '../tools/tool.ts';
import { Agent } from './agent.ts';
import { about, asks, failureOf } from './fixtures/delegation.ts';
import { isUsageLimitError } from './limits.ts';

const step = (text: string, tokens: number): ScriptedStep => ({
  text,
  usage: { inputTokens: tokens, outputTokens: tokens },
});
describe('what a run below uses', () => {
  const expert = (steps: readonly ScriptedStep[]) => {
    const model = scripted(steps);
    const count = tool({ name: 'count', description: '', run: () => 'counted' });
    return { model, tool: new Agent({ model, tools: [count] }).asTool(about) };
  };
  const counting: ScriptedStep = {
    toolCalls: [{ name: 'count' }],
    usage: { inputTokens: 10, outputTokens: 1 },
  };

  it('is in the usage and the counts of the run above', async () => {
    const { tool: below } = expert([counting, step('fine', 5)]);
    const model = scripted([asks('x'), step('ok', 2)]);
    const { usage, counts } = await new Agent({ model, tools: [below] }).run('go');
    expect(usage).toEqual({ inputTokens: 17, outputTokens: 8, requests: 4 });
    expect(counts).toMatchObject({ turns: 2, toolCalls: 2 });
  });

  it.each([
    ['requests', { requests: 2 }, 2, 3],
    ['inputTokens', { inputTokens: 9 }, 9, 10],
    ['totalTokens', { totalTokens: 10 }, 10, 11],
    ['toolCalls', { toolCalls: 1 }, 1, 2],
  ] as const)('counts for the limit of %s above while it runs', async (kind, limits, limit, actual) => {
    const { tool: below, model: asked } = expert([counting, step('never', 1)]);
    const model = scripted([asks('x'), 'never']);
    const error = await failureOf(new Agent({ model, tools: [below], limits }).run('go'));
    expect(error.stage).toBe('usage');
    expect(isUsageLimitError(error.cause)).toBe(true);
    expect(error.cause).toMatchObject({ kind, limit, actual });
    expect(asked.requests).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });

  it('counts for the limit above also when failures are observed', async () => {
    const { tool: below } = expert([counting, step('never', 1)]);
    const model = scripted([asks('x'), 'never']);
    const options = { limits: { inputTokens: 9 }, onToolFailure: 'observe' } as const;
    const error = await failureOf(new Agent({ model, tools: [below], ...options }).run('go'));
    expect(error).toMatchObject({ stage: 'usage', cause: { kind: 'inputTokens' } });
    expect(model.requests).toHaveLength(1);
  });

  it('counts side by side: together they send no request too many', async () => {
    const models = [scripted([step('a', 1)]), scripted([step('b', 1)]), scripted([step('c', 1)])];
    const tools = models.map((model, index) =>
      new Agent({ model }).asTool({ ...about, name: `expert_${index}` }),
    );
    const toolCalls = tools.map(({ name }) => ({ name, arguments: { prompt: 'x' } }));
    const boss = new Agent({ model: scripted([{ toolCalls }]), tools, limits: { requests: 3 } });
    const error = await failureOf(boss.run('go'));
    expect(error).toMatchObject({ stage: 'usage', cause: { kind: 'requests', limit: 3, actual: 4 } });
    expect(models.map(model => model.requests.length)).toEqual([1, 1, 0]);
    expect(error.usage.requests).toBe(3);
  });

  it('counts through every run above', async () => {
    const low = new Agent({ model: scripted([step('low', 7)]) }).asTool(about);
    const middle = new Agent({ model: scripted([asks('x'), 'never']), tools: [low] }).asTool(about);
    const top = new Agent({ model: scripted([asks('x')]), tools: [middle], limits: { inputTokens: 6 } });
    expect(await failureOf(top.run('go'))).toMatchObject({
      stage: 'usage',
      usage: { inputTokens: 7, requests: 3 },
      cause: { kind: 'inputTokens', actual: 7 },
    });
  });

  it('does not count for limits below that are its own: these end it at stage tool', async () => {
    const low = new Agent({ model: scripted([step('low', 7)]), limits: { inputTokens: 6 } }).asTool(about);
    const error = await failureOf(new Agent({ model: scripted([asks('x')]), tools: [low] }).run('go'));
    expect(error).toMatchObject({ stage: 'tool', cause: { stage: 'usage', cause: { kind: 'inputTokens' } } });
  });

  it('is forbidden by whoever counts the attempts of the outermost run', async () => {
    const { tool: below, model: asked } = expert([step('never', 1)]);
    const seen: string[] = [];
    const onAttempt = ({ model }: { readonly model: string }): void => {
      seen.push(model);
      if (seen.length === 2) throw new BudgetError('spent', { kind: 'calls', limit: 1, actual: 2 });
    };
    const run = new Agent({ model: scripted([asks('x')]), tools: [below] }).run('go', { onAttempt });
    const error = await failureOf(run);
    expect(error).toMatchObject({ stage: 'usage', message: 'spent', usage: { requests: 1 } });
    expect(asked.remaining).toBe(1);
  });

  it('is the concern of its own starter alone when a tool runs an agent by itself', async () => {
    const inner = new Agent({ model: scripted(['never']) });
    const alone = tool({
      name: 'alone',
      description: '',
      run: () => inner.run('x', { onAttempt: () => forbid() }).then(() => 'never'),
    });
    const forbid = (): void => {
      throw new BudgetError('its own budget', { kind: 'calls', limit: 0, actual: 1 });
    };
    const model = scripted([{ toolCalls: [{ name: 'alone' }] }]);
    const error = await failureOf(new Agent({ model, tools: [alone] }).run('go', { onAttempt: () => {} }));
    expect(error).toMatchObject({ stage: 'tool', cause: { stage: 'usage', message: 'its own budget' } });
  });

  it('counts through a gate before the tool too', async () => {
    const { tool: below } = expert([step('fine', 5)]);
    const model = scripted([asks('x'), 'ok']);
    const { usage } = await new Agent({ model, tools: [withApproval(below, () => true)] }).run('go');
    expect(usage).toMatchObject({ inputTokens: 5, requests: 3 });
  });
});

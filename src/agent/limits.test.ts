import { describe, expect, it } from 'vitest';
import { BudgetError } from '../models/budget-error.ts';
import type { Model, Part, Usage } from '../models/model.ts';
import { ModelError } from '../models/model-error.ts';
import { scripted } from '../testing/scripted.ts';
import { tool } from '../tools/tool.ts';
import { Agent } from './agent.ts';
import type { RunError } from './errors.ts';
import { isUsageLimitError, type Limits } from './limits.ts';

let ran = 0;
const plain = tool({
  name: 'plain',
  description: '',
  run: () => {
    ran += 1;
    return 'x';
  },
});
const call = { toolCalls: [{ name: 'plain' }], usage: { inputTokens: 10, outputTokens: 4 } };

async function exceed(
  limits: Partial<Limits>,
): Promise<{ error: RunError; requests: number; tools: number }> {
  const model = scripted([call], { cycle: true });
  ran = 0;
  const error = await new Agent({ model, tools: [plain], limits }).run('x').then(
    () => expect.fail('the run succeeded'),
    (thrown: RunError) => thrown,
  );
  expect(error).toMatchObject({ stage: 'usage' });
  expect(isUsageLimitError(error.cause)).toBe(true);
  expect(error.messages.at(-1)?.role).toBe('tool');
  return { error, requests: model.requests.length, tools: ran };
}

describe("what a model of one's own says it used", () => {
  const odd = [
    ['inputTokens', Number.NaN],
    ['outputTokens', -5],
    ['requests', Number.POSITIVE_INFINITY],
    ['inputTokens', undefined],
  ] as const;
  const reporting = (usage: Usage): Model => ({
    name: 'own',
    async *respond() {
      yield { type: 'text', text: 'a' } as Part;
      yield { type: 'usage', usage } as Part;
    },
  });

  it.each(odd)('fails the run when no limit can count it (%s: %s)', async (name, value) => {
    const usage = { inputTokens: 1, outputTokens: 1, requests: 1, [name]: value } as Usage;
    const run = new Agent({ model: reporting(usage), limits: { totalTokens: 5 } }).run('x');
    await expect(run).rejects.toMatchObject({
      stage: 'model',
      cause: { name: 'ModelError', kind: 'decode', message: expect.stringContaining(`usage.${name} is`) },
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });

  it.each(odd)('in a failure counts as nothing when it cannot be counted (%s: %s)', async (name, value) => {
    const usage = { inputTokens: 0, outputTokens: 0, requests: 0, [name]: value } as Usage;
    const failing: Model = {
      name: 'own',
      // biome-ignore lint/correctness/useYield: it fails before there is anything to yield.
      async *respond(_request, options) {
        options?.onAttempt?.({ model: 'own', number: 1 });
        throw new ModelError('no', { kind: 'server', provider: 'own', usage });
      },
    };
    await expect(new Agent({ model: failing }).run('x')).rejects.toMatchObject({
      usage: { inputTokens: 0, outputTokens: 0, requests: 1 },
    });
  });
});

describe('a limit stops the run in the turn that passes it', () => {
  it.each([
    [{ inputTokens: 25 }, { kind: 'inputTokens', limit: 25, actual: 30 }, 3, 2],
    [{ outputTokens: 7 }, { kind: 'outputTokens', limit: 7, actual: 8 }, 2, 1],
    [{ totalTokens: 14 }, { kind: 'totalTokens', limit: 14, actual: 28 }, 2, 1],
    [{ toolCalls: 2 }, { kind: 'toolCalls', limit: 2, actual: 3 }, 3, 2],
    [{ toolCalls: 0 }, { kind: 'toolCalls', limit: 0, actual: 1 }, 1, 0],
    [{ requests: 2 }, { kind: 'requests', limit: 2, actual: 3 }, 2, 2],
  ])('%o', async (limits, cause, requests, tools) => {
    const outcome = await exceed(limits);
    expect(outcome.error.cause).toMatchObject(cause);
    expect(outcome).toMatchObject({ requests, tools });
    expect(outcome.error.usage).toEqual({ inputTokens: requests * 10, outputTokens: requests * 4, requests });
  });

  it('also when the response is the last', async () => {
    const model = scripted([{ text: 'a', usage: { outputTokens: 9 } }]);
    await expect(new Agent({ model, limits: { outputTokens: 8 } }).run('x')).rejects.toMatchObject({
      stage: 'usage',
    });
  });

  it('but not one that is just reached', async () => {
    const model = scripted([call, { text: 'a' }]);
    const limits = { inputTokens: 10, outputTokens: 4, totalTokens: 14, requests: 2, toolCalls: 1 };
    expect((await new Agent({ model, tools: [plain], limits }).run('x')).output).toBe('a');
  });

  it('does not count calls of unknown tools', async () => {
    const model = scripted([{ toolCalls: [{ name: 'other' }] }, 'a']);
    expect((await new Agent({ model, tools: [plain], limits: { toolCalls: 0 } }).run('x')).output).toBe('a');
  });
});

describe('requests are counted', () => {
  /** Dispatches so often in one response, and says nothing of its usage. */
  function dispatching(times: number): Model {
    return {
      name: 'dispatching',
      async *respond(_, options): AsyncGenerator<Part> {
        for (let number = 1; number <= times; number += 1) options?.onAttempt?.({ model: 'm', number });
        yield { type: 'text', text: 'a' };
      },
    };
  }
  it('as they are dispatched, whatever the model says of its usage', async () => {
    expect((await new Agent({ model: dispatching(3) }).run('x')).usage.requests).toBe(3);
  });
  it('and the one too many is never dispatched', async () => {
    const numbers: number[] = [];
    const agent = new Agent({ model: dispatching(3), limits: { requests: 2 } });
    const error = await agent
      .run('x', { onAttempt: ({ number }) => numbers.push(number) })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      stage: 'usage',
      usage: { requests: 2 },
      cause: { kind: 'requests', actual: 3 },
    });
    expect(numbers).toEqual([1, 2]);
  });
  it('and may be forbidden by the caller, at stage usage', async () => {
    const cause = new BudgetError('no money left', { kind: 'money', limit: 1, actual: 2 });
    const model = scripted(['a']);
    const error = await new Agent({ model })
      .run('x', {
        onAttempt: () => {
          throw cause;
        },
      })
      .catch((thrown: RunError) => thrown);
    expect(error).toMatchObject({ stage: 'usage', message: 'no money left', usage: { requests: 0 } });
    expect((error as RunError).cause).toBe(cause);
    expect(model.requests).toHaveLength(0);
  });
});

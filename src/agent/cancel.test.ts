import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Model, ModelMessage, Part } from '../models/model.ts';
import { ModelError } from '../models/model-error.ts';
import { scripted } from '../testing/scripted.ts';
import { tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { Agent } from './agent.ts';
import { isRunAbortedError, isRunError, type RunAbortedError } from './errors.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): number => unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  await new Promise(resolve => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

async function aborted(run: Promise<unknown>, signal: AbortSignal): Promise<RunAbortedError> {
  const error = await run.then(
    () => expect.fail('the run succeeded'),
    (thrown: unknown) => thrown,
  );
  expect(isRunAbortedError(error)).toBe(true);
  expect(isRunError(error)).toBe(true);
  expect(error).toMatchObject({ name: 'AbortError' });
  expect((error as Error).cause).toBe(signal.reason);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  return error as RunAbortedError;
}

/** A model that never answers and does not look at the signal. */
function deaf(asked: () => void): Model {
  return {
    name: 'deaf',
    async *respond(): AsyncGenerator<Part> {
      asked();
      yield { type: 'text', text: 'half' };
      await new Promise(() => {});
    },
  };
}

describe('an abort by the caller', () => {
  it('before the run begins prevents any request', async () => {
    const model = scripted(['x']);
    const signal = AbortSignal.abort(new Error('never mind'));
    const error = await aborted(new Agent({ model }).run('x', { signal }), signal);
    expect(error.message).toContain('before the first turn');
    expect(error.message).toContain('never mind');
    const second = await aborted(new Agent({ model, instructions: () => 'a' }).run('x', { signal }), signal);
    expect(second.usage.requests).toBe(0);
    expect(model.requests).toHaveLength(0);
  });

  it('while instructions are made ends the run at once', async () => {
    const controller = new AbortController();
    const instructions = (): Promise<string> => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    };
    const agent = new Agent({ model: scripted(['x']), instructions });
    await aborted(agent.run('x', { signal: controller.signal }), controller.signal);
  });

  it('while the model answers ends the run at once, though it ignores the signal', async () => {
    const controller = new AbortController();
    const model = deaf(() => setImmediate(() => controller.abort('enough')));
    const error = await aborted(
      new Agent({ model }).run('x', { signal: controller.signal }),
      controller.signal,
    );
    expect(error).toMatchObject({ stage: 'model' });
    expect(error.message).toContain('while waiting for the model in turn 1');
    expect(error.message).toContain('enough');
    expect(error.messages).toEqual([{ role: 'user', content: 'x' }]);
  });

  it('while tools run ends the run at once, keeps finished results, and lets go of the others', async () => {
    const controller = new AbortController();
    let fail: (error: Error) => void = () => {};
    const quick = tool({ name: 'quick', description: '', run: () => 'done' });
    const stuck = tool({
      name: 'stuck',
      description: '',
      run: () => {
        setImmediate(() => controller.abort());
        return new Promise<string>((_, reject) => {
          fail = reject;
        });
      },
    });
    const model = scripted([{ toolCalls: [{ name: 'stuck' }, { name: 'quick' }] }]);
    const agent = new Agent({ model, tools: [quick, stuck] });
    const error = await aborted(agent.run('x', { signal: controller.signal }), controller.signal);
    expect(error).toMatchObject({ stage: 'tool', usage: { requests: 1 } });
    expect(error.message).toContain('while tools ran in turn 1 (stuck, quick)');
    expect(error.messages.map((message: ModelMessage) => message.content)).toEqual([
      'x',
      '',
      expect.stringContaining('interrupted'),
      'done',
    ]);
    fail(new Error('late'));
  });

  it.each([
    ['a retry of a tool', new ToolError('mendable')],
    ['a failure of a tool', new Error('broken')],
  ])('wins over %s', async (_, thrown) => {
    const controller = new AbortController();
    const failing = tool({
      name: 'failing',
      description: '',
      run: () => {
        controller.abort();
        throw thrown;
      },
    });
    const model = scripted([{ toolCalls: [{ name: 'failing' }] }, 'never']);
    await aborted(
      new Agent({ model, tools: [failing] }).run('x', { signal: controller.signal }),
      controller.signal,
    );
    expect(model.requests).toHaveLength(1);
  });

  it('wins over a failure of the model that comes with it', async () => {
    const controller = new AbortController();
    const model = scripted([
      () => {
        controller.abort();
        return new ModelError('down', { kind: 'server', provider: 'x' });
      },
    ]);
    await aborted(new Agent({ model }).run('x', { signal: controller.signal }), controller.signal);
  });

  it('wins over a correction and a limit that would have followed', async () => {
    const controller = new AbortController();
    const model: Model = {
      name: 'heedless',
      async *respond(): AsyncGenerator<Part> {
        yield { type: 'text', text: 'no json' };
        yield { type: 'usage', usage: { inputTokens: 0, outputTokens: 9, requests: 1 } };
        controller.abort();
      },
    };
    const agent = new Agent({ model, output: { type: 'integer' }, limits: { outputTokens: 4 } });
    await aborted(agent.run('x', { signal: controller.signal }), controller.signal);
  });

  it('reaches the tool by its signal', async () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    const watching = tool({
      name: 'watching',
      description: '',
      run: (_, { signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason), { once: true });
        queueMicrotask(() => controller.abort('why'));
        return new Promise<string>(() => {});
      },
    });
    const model = scripted([{ toolCalls: [{ name: 'watching' }] }]);
    const agent = new Agent({ model, tools: [watching], toolTimeout: 10_000 });
    await aborted(agent.run('x', { signal: controller.signal }), controller.signal);
    expect(reasons).toEqual(['why']);
  });

  it('leaves no listener behind a run that succeeds', async () => {
    const { signal } = new AbortController();
    const plain = tool({ name: 'plain', description: '', run: () => 'x' });
    const model = scripted([{ toolCalls: [{ name: 'plain' }] }, 'done']);
    await new Agent({ model, tools: [plain], toolTimeout: 1000 }).run('x', { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe("an inner deadline is no abort: the model's own", () => {
  it('fails at stage model', async () => {
    const cause = new DOMException('timed out', 'TimeoutError');
    const error = await new Agent({ model: scripted([{ error: cause }]) })
      .run('x')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'RunError', stage: 'model' });
    expect(isRunAbortedError(error)).toBe(false);
  });
});

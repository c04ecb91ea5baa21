import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../models/model.ts';
import { ModelError, type ModelFacts } from '../models/model-error.ts';
import { type ScriptedResponse, type ScriptedStep, scripted } from '../testing/scripted.ts';
import { type ConsensusEvidence, type ConsensusOptions, consensus } from './consensus.ts';
import { failureOf } from './fixtures/pattern-failure.ts';

const usage = { inputTokens: 10, outputTokens: 2 };

const answers = (...texts: string[]): ScriptedStep[] => texts.map(text => ({ text, usage }));

const modelError = (message: string, facts: Partial<ModelFacts> = {}): ModelError =>
  new ModelError(message, { kind: 'server', provider: 'scripted', ...facts });

const refusesTemperature = (request: ModelRequest): ScriptedResponse | Error =>
  request.temperature === undefined
    ? { text: 'x', usage }
    : modelError("Unsupported value: 'temperature' does not support 0.9", { kind: 'invalid-request' });

/** A promise and what opens it. */
const gate = (): { readonly wait: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined;
  const wait = new Promise<void>(resolve => {
    open = resolve;
  });
  return { wait, open };
};

describe('consensus', () => {
  it('gives the answer of the majority in its first words, with score, cost and evidence', async () => {
    const model = scripted(answers('no', ' 42\n', '42', '42 ', 'no'));
    const result = await consensus(model, ' What is 6 x 7? ');
    expect(result).toEqual({
      value: ' 42\n',
      score: 0.6,
      cost: { inputTokens: 50, outputTokens: 10, calls: 5 },
      evidence: {
        answers: ['no', ' 42\n', '42', '42 ', 'no'],
        counts: [
          { answer: ' 42\n', count: 3 },
          { answer: 'no', count: 2 },
        ],
        distinct: 2,
        ties: 1,
        notes: [],
      },
    });
    for (const part of [result, result.cost, result.evidence, result.evidence.answers]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('sends the prompt untrimmed, its own temperature of 0.9, and no token limit', async () => {
    const model = scripted(answers('x'));
    await consensus(model, ' p ', { samples: 1 });
    expect(model.requests).toEqual([{ messages: [{ role: 'user', content: ' p ' }], temperature: 0.9 }]);
  });

  it('sends the temperature and token limit that it is given', async () => {
    const model = scripted(answers('x'));
    await consensus(model, 'p', { samples: 1, temperature: 0, maxTokens: 7 });
    expect(model.requests[0]).toMatchObject({ temperature: 0, maxTokens: 7 });
  });

  it('asks no more at once than its concurrency', async () => {
    const gates = Array.from({ length: 4 }, gate);
    let asked = 0;
    const reached = Array.from({ length: 4 }, gate);
    const model = scripted(
      gates.map(({ wait }, index) => () => {
        asked += 1;
        reached[index]?.open();
        return { text: 'x', wait };
      }),
    );
    const run = consensus(model, 'p', { samples: 4, concurrency: 2 });
    await reached[1]?.wait;
    expect(asked).toBe(2);
    gates[1]?.open();
    await reached[2]?.wait;
    expect(asked).toBe(3);
    for (const { open } of gates) open();
    await expect(run).resolves.toMatchObject({ score: 1 });
  });

  it('keeps the evidence in the order of asking, whatever the order of answering', async () => {
    const late = gate();
    const model = scripted([{ text: 'first', wait: late.wait }, 'second']);
    const run = consensus(model, 'p', {
      samples: 2,
      onProgress: ({ done }) => {
        if (done === 1) late.open();
      },
    });
    expect((await run).evidence.answers).toEqual(['first', 'second']);
    expect((await run).value).toBe('first');
  });

  it('is unanimous when all agree, and a disagreement with cost and counts when not', async () => {
    const options: ConsensusOptions = { samples: 3, strategy: 'unanimous' };
    await expect(consensus(scripted(answers('a', ' a', 'a')), 'p', options)).resolves.toMatchObject({
      value: 'a',
      score: 1,
      evidence: { distinct: 1, ties: 1 },
    });
    const error = await failureOf(consensus(scripted(answers('a', 'b', 'a')), 'p', options));
    expect(error).toMatchObject({
      kind: 'disagreement',
      cost: { inputTokens: 30, outputTokens: 6, calls: 3 },
      evidence: { distinct: 2, answers: ['a', 'b', 'a'] },
    });
    expect(error.message).toContain('2 different answers, given 2, 1 times');
  });

  it('reports progress per sample', async () => {
    const progress: unknown[] = [];
    await consensus(scripted(answers('a', 'a')), 'p', {
      samples: 2,
      onProgress: step => progress.push(step),
    });
    expect(progress).toEqual([
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
  });

  it('notes answers that were cut off and what the model had to say', async () => {
    const note = { code: 'x', message: 'the model was slow' };
    const model = scripted([{ text: 'a', finish: 'length', notes: [note] }, 'a']);
    const { evidence } = await consensus(model, 'p', { samples: 2 });
    expect(evidence.notes).toEqual([
      'the model was slow',
      '1 of 2 answers were cut off at their token limit',
    ]);
  });
});

describe('consensus drops a temperature that the model refuses', () => {
  it('when it is its own: notes it once, and counts the refused call', async () => {
    const model = scripted([refusesTemperature], { cycle: true });
    const { cost, evidence } = await consensus(model, 'p', { samples: 3, concurrency: 1 });
    expect(cost).toEqual({ inputTokens: 30, outputTokens: 6, calls: 4 });
    expect(evidence.notes).toEqual(['the model refuses a temperature; its default is used instead of 0.9']);
    expect(model.requests.map(request => request.temperature)).toEqual([
      0.9,
      undefined,
      undefined,
      undefined,
    ]);
  });
  it('also when there was something to note before the refusal', async () => {
    const noted = (request: ModelRequest): ScriptedResponse => {
      const notes = [{ code: 'stream-usage-dropped', message: 'no counts' }];
      const refused = refusesTemperature(request);
      return refused instanceof Error ? { notes, error: refused } : refused;
    };
    const model = scripted([noted], { cycle: true });
    const { evidence } = await consensus(model, 'p', { samples: 1 });
    expect(evidence.notes).toEqual([
      'no counts',
      'the model refuses a temperature; its default is used instead of 0.9',
    ]);
  });
  it('not when the caller asked for it', async () => {
    const model = scripted([refusesTemperature], { cycle: true });
    const error = await failureOf(consensus(model, 'p', { samples: 1, temperature: 1 }));
    expect(error).toMatchObject({ kind: 'samples-failed', cost: { calls: 1 } });
  });
  it('not for any other refusal', async () => {
    const model = scripted([modelError('no such model', { kind: 'invalid-request' })]);
    expect((await failureOf(consensus(model, 'p', { samples: 1 }))).cost.calls).toBe(1);
  });
});

describe('consensus checks its arguments before anything is spent', () => {
  it.each<[string, ConsensusOptions]>([
    ['samples must be an integer of at least 1, got 0', { samples: 0 }],
    ['samples must be an integer of at least 1, got 2.5', { samples: 2.5 }],
    ['temperature must be a number from 0 to 2, got NaN', { temperature: Number.NaN }],
    ['temperature must be a number from 0 to 2, got 2.1', { temperature: 2.1 }],
    ['temperature must be a number from 0 to 2, got true', { temperature: true as never }],
    ['maxTokens must be an integer of at least 1, got 0', { maxTokens: 0 }],
    ['concurrency must be an integer of at least 1, got -1', { concurrency: -1 }],
    ['strategy must be "majority" or "unanimous", got "most"', { strategy: 'most' as never }],
    [
      'strategy must be "majority" or "unanimous", got an array of 1 item',
      { strategy: ['majority'] as never },
    ],
    ['onTrace must be a function, got "x"', { onTrace: 'x' as never }],
  ])('%s', async (message, options) => {
    const model = scripted(answers('x'), { cycle: true });
    await expect(consensus(model, 'p', options)).rejects.toThrow(new TypeError(`consensus: ${message}`));
    expect(model.requests).toEqual([]);
  });
  it.each(['', ' \n', 7 as never])('the prompt must not be %j', async prompt => {
    await expect(consensus(scripted([]), prompt)).rejects.toThrow(
      /prompt must be a string that is not blank/,
    );
  });
  it('the model must be one', async () => {
    await expect(consensus({} as never, 'p')).rejects.toThrow(/model must be a model/);
  });
});

it('the evidence of a disagreement has the shape of that of a result', async () => {
  const options: ConsensusOptions = { samples: 2, strategy: 'unanimous' };
  const error = await failureOf(consensus(scripted(answers('a', 'b')), 'p', options));
  const { evidence } = await consensus(scripted(answers('a', 'a')), 'p', options);
  expect(Object.keys(error.evidence as unknown as ConsensusEvidence)).toEqual(Object.keys(evidence));
});

import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import { memoryStore } from '../../basics/state-store.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isNeedInput, type NeedInput } from '../../tools/need-input.ts';
import type { ElicitAnswer, ElicitQuestion } from '../../tools/question.ts';
import type { Tool, ToolResult } from '../../tools/tool.ts';
import { setUp, write, yes } from './fixtures/approvals.ts';

/** A context as a server makes it for one round. */
function roundOf(memo: unknown, answers: Readonly<Record<string, ElicitAnswer>>): ToolContext {
  return {
    signal: new AbortController().signal,
    client: { info: undefined, capabilities: { elicitation: {} }, revision: undefined },
    progress: () => {},
    memo,
    answers: { elicit: (key: string) => answers[key], sample: () => undefined, roots: () => undefined },
  } as unknown as ToolContext;
}

async function pauseOf(served: Tool, ctx: ToolContext): Promise<NeedInput> {
  const returned = await served.run({ prompt: 'go' }, ctx);
  if (!isNeedInput(returned)) throw new Error('expected a question');
  return returned;
}

describe('a round of a served agent', () => {
  it.each([
    ['small enough to travel', 'done'],
    ['kept by the server', 'x'.repeat(40_000)],
  ])('is answered once, however often it is sent: a run %s', async (_what, note) => {
    const { executed, model, served } = await setUp([write('a'), write('b'), 'done'], { note });
    const first = await pauseOf(served, roundOf(undefined, {}));
    const second = await pauseOf(served, roundOf(first.memo, { 'approval-1-1': yes }));
    const last = roundOf(second.memo, { 'approval-2-1': yes });
    expect((await served.run({ prompt: 'go' }, last)) as ToolResult).toMatchObject({
      structuredContent: { answer: 'done' },
    });
    for (const again of [last, roundOf(first.memo, { 'approval-1-1': yes })]) {
      await expect(served.run({ prompt: 'go' }, again)).rejects.toThrow(
        /cannot go on: it went on before with this answer/,
      );
    }
    expect(executed).toEqual(['a', 'b']);
    expect(model.requests).toHaveLength(3);
  });

  it('asks again about a call whose question came back without an answer', async () => {
    const { executed, served } = await setUp([write('a', 'b'), 'done']);
    const first = await pauseOf(served, roundOf(undefined, {}));
    expect(Object.keys(first.questions)).toEqual(['approval-1-1', 'approval-1-2']);
    const second = await pauseOf(served, roundOf(first.memo, { 'approval-1-2': yes }));
    expect(executed).toEqual(['b']);
    expect(Object.keys(second.questions)).toEqual(['approval-2-1']);
    await served.run({ prompt: 'go' }, roundOf(second.memo, { 'approval-2-1': yes }));
    expect(executed).toEqual(['b', 'a']);
  });

  it('says that a run is gone when the server that kept it was started anew', async () => {
    const note = 'x'.repeat(40_000);
    const before = await setUp([write('a'), write('b')], { note });
    const first = await pauseOf(before.served, roundOf(undefined, {}));
    const second = await pauseOf(before.served, roundOf(first.memo, { 'approval-1-1': yes }));
    const after = await setUp(['never'], { note });
    await expect(
      after.served.run({ prompt: 'go' }, roundOf(second.memo, { 'approval-2-1': yes })),
    ).rejects.toMatchObject({
      message: expect.stringContaining('it waited too long, or this server was started anew'),
      data: { kind: 'paused-run-lost', retryable: false },
    });
    expect(after.model.requests).toEqual([]);
  });

  it('can be answered at another process that shares the store', async () => {
    const served = { waiting: { store: memoryStore() } };
    const note = 'x'.repeat(40_000);
    const one = await setUp([write('a'), write('b')], { note, served });
    const two = await setUp(['done'], { note, served });
    const first = await pauseOf(one.served, roundOf(undefined, {}));
    const second = await pauseOf(one.served, roundOf(first.memo, { 'approval-1-1': yes }));
    const last = roundOf(second.memo, { 'approval-2-1': yes });
    expect(await two.served.run({ prompt: 'go' }, last)).toMatchObject({
      structuredContent: { answer: 'done' },
    });
    expect([one.executed, two.executed]).toEqual([['a'], ['b']]);
    await expect(one.served.run({ prompt: 'go' }, last)).rejects.toThrow(/it went on before/);
  });

  it('is forgotten when it waited too long', async () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const note = 'x'.repeat(40_000);
    const { executed, served } = await setUp([write('a'), write('b')], {
      note,
      served: { waiting: { store, ttl: 1000 } },
    });
    const first = await pauseOf(served, roundOf(undefined, {}));
    const second = await pauseOf(served, roundOf(first.memo, { 'approval-1-1': yes }));
    clock.advance(1000);
    await expect(served.run({ prompt: 'go' }, roundOf(second.memo, { 'approval-2-1': yes }))).rejects.toThrow(
      /it waited too long/,
    );
    expect(executed).toEqual(['a']);
  });

  it.each([[7], ['x'], [{}], [{ run: {} }], [{ run: { id: 'x' }, asked: {} }]])(
    'that remembers nothing it could have made fails in words: %j',
    async memo => {
      const { model, served } = await setUp([]);
      await expect(served.run({ prompt: 'go' }, roundOf(memo, {}))).rejects.toThrow();
      expect(model.requests).toEqual([]);
    },
  );

  it('shows signs that hide or turn text by their numbers, and says how much it does not show', async () => {
    const { served } = await setUp([write(`a\u202Etxt.exe\u200B${'y'.repeat(5000)}`), 'done']);
    const { questions } = await pauseOf(served, roundOf(undefined, {}));
    const [question] = Object.values(questions) as [{ elicit: ElicitQuestion }];
    expect(question.elicit.message).toContain('a\\u{202e}txt.exe\\u{200b}yyy');
    expect(question.elicit.message).toMatch(/ … \[\d+ more characters are not shown\]$/);
  });
});

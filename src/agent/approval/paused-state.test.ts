import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import { tool } from '../../tools/tool.ts';
import { Agent } from '../agent.ts';
import { isRunError } from '../errors.ts';
import type { PausedRun } from './pause-run.ts';
import { type PausedState, pendingCalls, readPausedState } from './paused-state.ts';

let runs = 0;
const erase = tool({
  name: 'erase',
  description: '',
  needsApproval: true,
  run: () => {
    runs += 1;
    return 'erased';
  },
});
const read = tool({ name: 'read', description: '', run: () => 'text' });
const agentNamed = (name?: string, tools = [erase, read]) =>
  new Agent({ model: scripted(['ok']), tools, pause: true, ...(name === undefined ? {} : { name }) });

let state: PausedState;
beforeAll(async () => {
  const model = scripted([{ toolCalls: [{ name: 'erase' }, { name: 'read' }] }]);
  const outcome = await new Agent({ model, tools: [erase, read], pause: true, name: 'keeper' }).run('go');
  ({ state } = outcome as PausedRun);
});

describe('the state of a paused run', () => {
  it('is read as text or as data, and again after it was written', () => {
    expect(readPausedState(state)).toEqual(state);
    expect(readPausedState(JSON.stringify(state))).toEqual(state);
    expect(readPausedState(JSON.stringify(readPausedState(state), undefined, 2))).toEqual(state);
  });

  it.each<[string, (state: Record<string, unknown>) => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a number', () => 7],
    ['a list', () => []],
    ['text that is not JSON', () => '{"kind"'],
    ['something else', () => ({ kind: 'other' })],
    ['a function', () => () => 1],
    ['a newer version', given => ({ ...given, version: 2 })],
    ['no version', ({ version: _, ...given }) => given],
    ['an agent that is no name', given => ({ ...given, agent: 7 })],
    ['messages that are none', given => ({ ...given, messages: [{ role: 'robot' }] })],
    ['no messages', given => ({ ...given, messages: [], opening: 0 })],
    ['a last message without calls', given => ({ ...given, messages: [{ role: 'user', content: 'x' }] })],
    ['more opening messages than there are', given => ({ ...given, opening: 99 })],
    ['a turn below 0', given => ({ ...given, turn: -1 })],
    ['half a turn', given => ({ ...given, turn: 1.5 })],
    ['a turn that is text', given => ({ ...given, turn: '1' })],
    ['usage that is none', given => ({ ...given, usage: { inputTokens: 'many' } })],
    [
      'usage without an end',
      given => ({ ...given, usage: { inputTokens: Number.POSITIVE_INFINITY, outputTokens: 0, requests: 0 } }),
    ],
    ['counts that are none', given => ({ ...given, counts: [] })],
    ['strikes that are none', given => ({ ...given, strikes: { erase: 'x' } })],
    ['notes that are none', given => ({ ...given, notes: ['x'] })],
    ['no calls', given => ({ ...given, calls: [] })],
    ['calls of others', given => ({ ...given, calls: [{ id: 'x' }, { id: 'y' }] })],
    ['calls in another order', given => ({ ...given, calls: [...(given['calls'] as unknown[])].reverse() })],
    [
      'results that are none',
      given => ({
        ...given,
        calls: (given['calls'] as { id: string }[]).map(({ id }) => ({ id, done: 'x' })),
      }),
    ],
    [
      'no call that waits',
      given => ({
        ...given,
        calls: (given['calls'] as { id: string }[]).map(({ id }) => ({
          id,
          done: { content: 'x', outcome: 'worked' },
        })),
      }),
    ],
    [
      'a run within that is none',
      given => ({ ...given, calls: [{ id: 'call_1', nested: {} }, (given['calls'] as unknown[])[1]] }),
    ],
  ])('that is %s is refused with what is wrong, and nothing runs', async (_what, spoil) => {
    const given = spoil(JSON.parse(JSON.stringify(state)) as Record<string, unknown>) as PausedState;
    const error = await agentNamed('keeper')
      .resume(given, { call_1: true })
      .catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(/^resume: this state cannot be used: ./);
    expect((error as { hint?: string }).hint).toContain('state of a paused run');
    expect(runs).toBe(0);
  });

  it('that holds runs within runs without end is refused', () => {
    let deep: unknown = state;
    for (let depth = 0; depth < 40; depth += 1) {
      deep = { ...state, calls: [{ id: 'call_1', nested: deep }, state.calls[1]] };
    }
    expect(() => readPausedState(deep)).toThrow('too many runs within runs');
  });

  it('that refers to itself is refused', () => {
    const looped: Record<string, unknown> = { ...state };
    looped['messages'] = [looped];
    expect(() => readPausedState(looped)).toThrow('JSON cannot carry it');
  });

  it('that is too large is refused, and never made', async () => {
    const large = 'x'.repeat(33 * 1024 * 1024);
    expect(() => readPausedState(large)).toThrow('are the most');
    expect(() => readPausedState({ ...state, agent: large })).toThrow('are the most');
    const model = scripted([{ toolCalls: [{ name: 'erase' }] }]);
    const run = new Agent({ model, tools: [erase], pause: true, instructions: large }).run('go');
    const error = await run.catch((thrown: unknown) => thrown);
    expect(isRunError(error) && error.message).toContain('the run could not be paused');
  });

  it.each([
    ['keeper', 'other', 'the state is that of the agent "keeper", and this is the agent "other"'],
    ['keeper', undefined, 'this is an agent without a name'],
    [null, 'keeper', 'that of an agent without a name'],
  ])('of the agent %s is refused by %s', async (agent, by, why) => {
    const error = await agentNamed(by)
      .resume({ ...state, agent }, { call_1: true })
      .catch((thrown: unknown) => thrown);
    expect((error as Error).message).toContain(why);
  });

  it('of which a tool is gone is refused before anything runs', async () => {
    const error = await agentNamed('keeper', [read])
      .resume(state, { call_1: true })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      stage: 'tool',
      message: expect.stringContaining('tool "erase", a call of which waits'),
    });
    expect(runs).toBe(0);
  });

  it.each<[unknown, string]>([
    [undefined, 'decisions must be an object'],
    [[true], 'decisions must be an object by call id'],
    [{ call_9: true }, 'no call "call_9" waits for a decision; these do: "call_1"'],
    [{ call_2: true }, 'no call "call_2" waits'],
    [{ call_1: 'yes' }, 'must be true, false or { allow }'],
    [{ call_1: { allow: 'yes' } }, 'must be true, false or { allow }'],
    [{ call_1: null }, 'must be true, false or { allow }'],
  ])('is not resumed with the decisions %j', async (decisions, why) => {
    const error = await agentNamed('keeper')
      .resume(state, decisions as Record<string, boolean>)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(why);
    expect(runs).toBe(0);
  });

  it('never crashes its reader, whatever it is', () => {
    const pieces = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...Object.values(state)));
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(state)), pieces, (key, piece) => {
        const spoilt = { ...state, [key]: piece };
        try {
          pendingCalls(readPausedState(spoilt));
        } catch (error) {
          expect((error as Error).message).toMatch(/^resume: this state cannot be used|are the most/);
        }
      }),
      { numRuns: 500 },
    );
  });
});

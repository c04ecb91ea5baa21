import { describe, expect, it } from 'vitest';
import { connect } from '../../client/client.ts';
import { factsOfRevision } from '../../eras/handshake/revisions.ts';
import { revisions } from '../../eras/index.ts';
import { ModelError } from '../../models/model-error.ts';
import { Budget } from '../../patterns/budget/budget.ts';
import { compileSchema } from '../../schema/compile.ts';
import { Server } from '../../server/server.ts';
import { type ScriptedStep, scripted } from '../../testing/scripted.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Tool } from '../../tools/tool.ts';
import { isToolError } from '../../tools/tool-error.ts';
import { consensusInput, reactInput } from './pattern-inputs.ts';
import { consensusOutput, reactOutput } from './pattern-outputs.ts';
import { type ServePatternsOptions, servePatterns } from './serve-patterns.ts';

const usage = { inputTokens: 10, outputTokens: 2 };
const cost = { ...usage, calls: 1 };
const say = (text: string): ScriptedStep => ({ text, usage });
const compute: ScriptedStep = {
  toolCalls: [{ name: 'calculator', arguments: { expression: '1' } }],
  usage,
};

type JsonSchema = Readonly<Record<string, unknown>>;

const accepts = async (schema: JsonSchema, data: unknown): Promise<boolean> =>
  (await compileSchema(schema).validate(data)).ok;

/** The structured content of the call, whether it gives a result or fails as tools do. */
const dataOf = async (
  options: ServePatternsOptions,
  name: string,
  args: object,
  signal = new AbortController().signal,
): Promise<unknown> => {
  const served = servePatterns({ onError: () => {}, ...options }).find(tool => tool.name === name) as Tool;
  const ctx = { signal, progress: () => {} } as unknown as ToolContext;
  try {
    return ((await served.run(args, ctx)) as { structuredContent: unknown }).structuredContent;
  } catch (error) {
    if (isToolError(error)) return error.data;
    throw error;
  }
};

describe('the schemas of served patterns', () => {
  it.each([
    ['consensus, arguments', compileSchema(consensusInput().schema).json],
    ['consensus, results', consensusOutput],
    ['react_loop, arguments', compileSchema(reactInput().schema).json],
    ['react_loop, results', reactOutput],
  ])('have an object at the root, as older clients demand: %s', (_name, schema) => {
    expect(schema).toMatchObject({ type: 'object', properties: {} });
  });

  it.each(revisions)(
    'reach a client of revision %s whole, where that can have schemas of results',
    async revision => {
      const server = new Server({
        name: 'patterns',
        version: '1.0.0',
        tools: servePatterns({ model: scripted([]) }),
      });
      const client = await connect(server, { protocol: revision });
      const listed = await client.tools().all();
      const expected =
        (factsOfRevision(revision)?.structuredContent ?? true)
          ? [consensusOutput, reactOutput]
          : [undefined, undefined];
      expect(listed.map(({ outputSchema }) => outputSchema)).toEqual(expected);
      await client.close();
    },
  );

  it('fit what the patterns give', async () => {
    const answers = scripted([say('a')], { cycle: true });
    const agreed = await dataOf({ model: answers }, 'consensus', { prompt: 'p' });
    expect(agreed).toMatchObject({ answer: 'a' });
    expect(await accepts(consensusOutput, agreed)).toBe(true);
    const done = await dataOf({ model: scripted([compute, say('a')]) }, 'react_loop', { prompt: 'p' });
    expect(done).toMatchObject({ answer: 'a', rounds: 2 });
    expect(await accepts(reactOutput, done)).toBe(true);
  });

  const limited = new ModelError('slow down', { kind: 'rate-limit', provider: 'x', retryAfterMs: 500 });
  const failures: readonly [kind: string, name: string, options: () => ServePatternsOptions, args: object][] =
    [
      [
        'disagreement',
        'consensus',
        () => ({ model: scripted([say('a'), say('b')]) }),
        { n: 2, strategy: 'unanimous' },
      ],
      ['rate-limit', 'consensus', () => ({ model: scripted([limited]) }), { n: 1 }],
      [
        'budget',
        'consensus',
        () => ({ model: scripted([say('a')]), budget: new Budget({ calls: 1 }) }),
        { n: 2 },
      ],
      [
        'rounds-exhausted',
        'react_loop',
        () => ({ model: scripted([compute], { cycle: true }) }),
        { max_rounds: 1 },
      ],
      ['refused', 'react_loop', () => ({ model: scripted([{ text: 'No.', finish: 'refusal' }]) }), {}],
      ['internal', 'react_loop', () => ({ model: () => Promise.reject(new Error('no model')) }), {}],
    ];
  it.each(failures)('fit what a failure says, too: %s of %s', async (kind, name, options, args) => {
    const data = await dataOf(options(), name, { prompt: 'p', ...args });
    expect(data).toMatchObject({ kind });
    expect(await accepts(name === 'consensus' ? consensusOutput : reactOutput, data)).toBe(true);
  });

  it.each([
    ['consensus', consensusOutput],
    ['react_loop', reactOutput],
  ])('fit a call of %s that was cancelled', async (name, schema) => {
    const signal = AbortSignal.abort(new Error('left'));
    const data = await dataOf({ model: scripted([]) }, name, { prompt: 'p' }, signal);
    expect(data).toMatchObject({ kind: 'aborted' });
    expect(await accepts(schema, data)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['half a result', { answer: 'a', usage: cost }],
    ['half a failure', { kind: 'budget', cost }],
    ['a list', []],
    ['text', 'a'],
    ['a failure with a cost that is none', { kind: 'budget', retryable: false, cost: { calls: -1 } }],
  ])('fit neither %s', async (_what, data) => {
    expect(await accepts(consensusOutput, data)).toBe(false);
    expect(await accepts(reactOutput, data)).toBe(false);
  });
});

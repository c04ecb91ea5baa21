import { afterEach, describe, expect, it } from 'vitest';
import { ModelError } from '../../models/model-error.ts';
import { compileSchema } from '../../schema/compile.ts';
import { scripted } from '../../testing/scripted.ts';
import { closeServed, say, serve } from '../allow-list/fixtures/served.ts';
import { pipeOutput } from './pattern-outputs.ts';

afterEach(closeServed);

const digest = (more: object = {}) => ({
  pipes: {
    digest: {
      description: 'Digests a text',
      steps: [
        { name: 'gist', prompt: 'The gist of: {input}' },
        { name: 'vote', prompt: 'Of {prompt}, is this right? {input}', by: 'consensus', samples: 2 },
        { name: 'polish', prompt: 'Polish: {input}', by: 'refine', maxIterations: 0, criteria: 'Short.' },
      ],
      ...more,
    },
  },
});
const steps = () => [say('a gist'), say('yes'), say('yes'), say('polished'), say('9')];

describe('a pipe of a configuration', () => {
  it('gives each step what the one before gave, and says what each cost', async () => {
    const model = scripted(steps());
    const setup = await serve(digest(), {}, model);
    const progress: number[] = [];
    const caller = await setup.caller();
    const result = await caller.call(
      'digest',
      { prompt: 'the text' },
      { onProgress: report => progress.push(report.progress) },
    );
    const asked = model.requests.map(({ messages }) => messages.at(-1)?.content);
    expect(asked.slice(0, 4)).toEqual([
      'The gist of: the text',
      'Of the text, is this right? a gist',
      'Of the text, is this right? a gist',
      'Polish: yes',
    ]);
    expect(JSON.stringify(model.requests[4])).toContain('Short.');
    expect(result.structuredContent).toEqual({
      answer: 'polished',
      steps: [
        { name: 'gist', calls: 1 },
        { name: 'vote', calls: 2, score: 1 },
        { name: 'polish', calls: 2, score: 0.9 },
      ],
      notes: [],
      usage: { inputTokens: 50, outputTokens: 10, calls: 5 },
      score: 0.9,
    });
    expect((await compileSchema(pipeOutput).validate(result.structuredContent)).ok).toBe(true);
    expect(progress).toEqual([0, 1, 2, 3]);
  });

  it('is one budget, and keeps what was spent when it is used up', async () => {
    const model = scripted(steps());
    const setup = await serve(digest({ callBudget: { calls: 2 } }), {}, model);
    const result = await (await setup.caller()).call('digest', { prompt: 'the text' });
    expect(model.requests).toHaveLength(2);
    expect(result.structuredContent).toMatchObject({ kind: 'budget', cost: { calls: 2 } });
  });

  it('says which failure of the model ended it', async () => {
    const failing = scripted([say('a gist'), new ModelError('no', { kind: 'refused', provider: 'x' })]);
    const setup = await serve(digest(), {}, failing);
    const result = await (await setup.caller()).call('digest', { prompt: 'the text' });
    expect(result).toMatchObject({ isError: true, structuredContent: { kind: 'refused' } });
  });

  it.each([[{ steps: [] }], [{ model: 'x' }], [{ prompt: '' }], [{}]])(
    'takes a prompt and nothing else: %j',
    async args => {
      const model = scripted([]);
      const setup = await serve(digest(), {}, model);
      const prompt = Object.hasOwn(args, 'prompt') || Object.keys(args).length === 0 ? {} : { prompt: 'p' };
      const result = await (await setup.caller()).call('digest', { ...prompt, ...args });
      expect(result.isError).toBe(true);
      expect(model.requests).toEqual([]);
    },
  );

  it('puts braces of a caller into no template', async () => {
    const model = scripted(steps());
    const setup = await serve(digest(), {}, model);
    await (await setup.caller()).call('digest', { prompt: '{input} {{x}} {other}' });
    expect(model.requests[0]?.messages.at(-1)?.content).toBe('The gist of: {input} {{x}} {other}');
  });
});

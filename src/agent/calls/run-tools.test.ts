import { describe, expect, it } from 'vitest';
import { contents, failing, failure, number, run, turn, turns } from '../../../test/fixtures/agent-runs.ts';
import { scripted } from '../../testing/scripted.ts';
import { image, text } from '../../tools/content.ts';
import { tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { Agent } from '../agent.ts';

describe('what the model can mend goes back to it', () => {
  it.each([
    [
      'arguments that are not JSON',
      '{"n": ',
      /^Tool "number" was not run: the arguments are not valid JSON \(/,
    ],
    ['arguments that are no object', '[1]', /must be one JSON object, not an array of 1 item/],
    ['arguments that do not fit', { n: 'x' }, /do not fit its schema: .*n/],
    ['arguments that are missing', '', /do not fit its schema: .*n/],
  ])('%s', async (_, args, message) => {
    const { results, counts } = await run(turn({ name: 'number', arguments: args }), [number]);
    expect(results).toEqual([expect.stringMatching(message)]);
    expect(counts).toMatchObject({ toolCalls: 1, rejectedCalls: 1 });
  });
  it('an unknown tool, with the names there are, while its siblings run', async () => {
    const { results, counts } = await run(turn({ name: 'nubmer' }, { name: 'number', arguments: { n: 4 } }), [
      number,
    ]);
    expect(results).toEqual(['There is no tool named "nubmer"; use one of: number', '4']);
    expect(counts).toMatchObject({ toolCalls: 1, rejectedCalls: 1 });
  });
  it('an unknown tool where there are none', async () => {
    const { results } = await run(turn({ name: 'x' }), []);
    expect(results[0]).toContain('there are no tools');
  });
  it('a ToolError, as its message', async () => {
    const { results } = await run(turn({ name: 'failing' }), [failing(new ToolError('no such file: a.txt'))]);
    expect(results).toEqual(['no such file: a.txt']);
  });
  it('a result that reports a failure, blocks and all', async () => {
    const picture = image('AA==', 'image/png');
    const shown = tool({
      name: 'shown',
      description: '',
      run: () => ({ content: [text('see'), picture], isError: true }),
    });
    const { results } = await run(turn({ name: 'shown' }), [shown]);
    expect(results).toEqual([[text('see'), picture]]);
  });
  it('with blank arguments taken as none for a tool that needs none', async () => {
    const plain = tool({ name: 'plain', description: '', run: () => 'x' });
    expect((await run(turn({ name: 'plain', arguments: ' ' }), [plain])).results).toEqual(['x']);
  });
});

it('the error of a run masks what a tool says, in its message and as JSON', async () => {
  const cause = new Error('denied for key sk-abcdefgh12345678');
  const error = await failure(turns(1, { name: 'failing' }), [failing(cause)]);
  expect(error.message).toContain('denied for key ***');
  expect(JSON.stringify(error)).not.toContain('sk-abc');
  expect(error.cause).toBe(cause);
});

describe('the budget of a tool', () => {
  it('is two failures in a row; the third ends the run with its cause', async () => {
    const cause = new ToolError('again');
    const call = { name: 'failing' };
    expect((await run(turns(2, call), [failing(cause)])).results).toEqual(['again', 'again']);
    const error = await failure(turns(3, call), [failing(cause)]);
    expect(error).toMatchObject({ stage: 'tool', tool: 'failing', callId: 'call_3', attempts: 3 });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('tool "failing" failed after 3 attempts: again');
    expect(contents(error.messages)).toEqual(['again', 'again', 'again']);
  });
  it('of 0 forbids any, and says nothing of attempts then', async () => {
    const error = await failure(turns(1, { name: 'failing' }), [
      failing(new ToolError('no'), { retries: 0 }),
    ]);
    expect(error.message).toBe('tool "failing" failed: no');
  });
  it('set by the tool goes before that of the agent', async () => {
    const tools = [failing(new ToolError('no'), { retries: 4 })];
    expect((await run(turns(4, { name: 'failing' }), tools, { toolRetries: 0 })).results).toHaveLength(4);
  });
  it('holds for unknown names and unusable arguments too', async () => {
    expect(await failure(turns(3, { name: 'x' }), [])).toMatchObject({
      stage: 'tool',
      tool: 'x',
      attempts: 3,
    });
    const unusable = turns(3, { name: 'number', arguments: '{' });
    expect(await failure(unusable, [number])).toMatchObject({ stage: 'tool', tool: 'number', attempts: 3 });
  });
  it('is counted by name and turn: failures side by side are one, and success starts anew', async () => {
    let calls = 0;
    const flaky = tool({
      name: 'flaky',
      description: '',
      retries: 1,
      run: () => {
        calls += 1;
        if (calls % 4 !== 0) throw new ToolError(`failure ${calls}`);
        return 'worked';
      },
    });
    const call = { name: 'flaky' };
    const model = scripted([
      { toolCalls: [call, call, call] },
      { toolCalls: [call] },
      { toolCalls: [call, call, call] },
      { toolCalls: [call] },
      'done',
    ]);
    expect((await run(model, [flaky])).results.filter(result => result === 'worked')).toHaveLength(2);
  });
  it('starts anew with each run', async () => {
    const model = scripted(
      [{ toolCalls: [{ name: 'failing' }] }, { toolCalls: [{ name: 'failing' }] }, 'done'],
      {
        cycle: true,
      },
    );
    const agent = new Agent({ model, tools: [failing(new ToolError('no'))] });
    await agent.run('a');
    expect((await agent.run('b')).output).toBe('done');
  });
});

describe('what the model cannot mend ends the run', () => {
  it('a plain throw, whatever the budget', async () => {
    const cause = new Error('the disk is full');
    const error = await failure(turns(1, { name: 'failing' }), [failing(cause, { retries: 9 })]);
    expect(error).toMatchObject({ stage: 'tool', tool: 'failing', callId: 'call_1' });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('tool "failing" failed: the disk is full');
  });
  it('an error that merely has a ToolError as its cause', async () => {
    const cause = new Error('a run inside failed', { cause: new ToolError('mendable there') });
    expect((await failure(turns(1, { name: 'failing' }), [failing(cause)])).cause).toBe(cause);
  });
  it('data that does not fit the declared output', async () => {
    const wrong = tool({
      name: 'wrong',
      description: '',
      output: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      run: () => ({ n: 'x' }) as never,
    });
    const error = await failure(turns(1, { name: 'wrong' }), [wrong]);
    expect(error.message).toMatch(/returned data that does not fit its output schema: .*n/);
  });
  it('data that JSON cannot carry', async () => {
    const odd = tool({ name: 'odd', description: '', run: () => ({ n: 1n }) });
    expect((await failure(turns(1, { name: 'odd' }), [odd])).message).toMatch(/cannot be written as JSON/);
  });
  it('but siblings that run are waited for, their results kept, and nothing more is started', async () => {
    const started: string[] = [];
    const slow = tool({
      name: 'slow',
      description: '',
      run: async () => {
        started.push('slow');
        await new Promise(resolve => setImmediate(resolve));
        return 'slow result';
      },
    });
    const later = tool({
      name: 'later',
      description: '',
      sequential: true,
      run: () => void started.push('later'),
    });
    const model = turn({ name: 'failing' }, { name: 'slow' }, { name: 'later' });
    const error = await failure(model, [failing(new Error('no')), slow, later]);
    expect(started).toEqual(['slow']);
    expect(contents(error.messages)).toEqual([
      'Tool "failing" failed: no',
      'slow result',
      'Not run: another call of this turn failed.',
    ]);
    expect(error.callId).toBe('call_1');
  });
  it('and secrets in its message do not reach the transcript', async () => {
    const error = await failure(turns(1, { name: 'failing' }), [
      failing(new Error('denied for key sk-abcdefgh12345678')),
    ]);
    expect(contents(error.messages)).toEqual(['Tool "failing" failed: denied for key ***']);
  });
});

describe('the policy "observe"', () => {
  it('makes every failure something the model reads, however often', async () => {
    const model = turns(5, { name: 'failing' });
    const { results } = await run(model, [failing(new Error('broken\nwith details'))], {
      onToolFailure: 'observe',
    });
    expect(results).toEqual(Array(5).fill('Tool "failing" failed: broken'));
    const unknown = await run(turns(5, { name: 'x' }), [], { onToolFailure: 'observe' });
    expect(unknown.results).toHaveLength(5);
  });
});

import { describe, expect, it } from 'vitest';
import { withApproval } from '../../patterns/approval/with-approval.ts';
import { scripted } from '../../testing/scripted.ts';
import { Agent } from '../agent.ts';
import type { PausingAgentOptions } from '../agent-options.ts';
import { isRunAbortedError } from '../errors.ts';
import { call, calls, paused, steps, workshop } from '../fixtures/workshop.ts';
import type { Decisions } from './decisions.ts';

describe('an agent with a tool that needs approval', () => {
  it('must be able to get it', () => {
    const { erase } = workshop();
    expect(() => new Agent({ model: scripted([]), tools: [erase] })).toThrowError(
      expect.objectContaining({
        message: 'tool "erase" needs approval, and nobody can give it',
        hint: expect.stringContaining('pause: true'),
      }),
    );
    const both = { model: scripted([]), approve: () => true, pause: true } as unknown;
    expect(() => new Agent(both as PausingAgentOptions<unknown, undefined>)).toThrow('approve or pause');
    expect(() => new Agent({ model: scripted([]), pause: 1 as never })).toThrow(
      'pause must be true or false',
    );
  });

  it('fails when the tool came later, from a source, and runs nothing', async () => {
    const { runs, erase } = workshop();
    const source = { tools: async () => [erase] };
    const run = new Agent({ model: scripted([calls(call('erase', 'x'))]), tools: source }).run('go');
    await expect(run).rejects.toMatchObject({
      stage: 'tool',
      cause: { message: 'tool "erase" needs approval, and nobody can give it' },
    });
    expect(runs).toEqual([]);
  });

  it('needs nothing more behind a gate of its own', async () => {
    const { runs, erase } = workshop();
    const tools = withApproval([erase], ({ arguments: args }) => (args as { path: string }).path === 'x');
    const model = scripted([calls(call('erase', 'x'), call('erase', 'y')), 'ok']);
    await new Agent({ model, tools }).run('go');
    expect(runs).toEqual(['erase x']);
  });

  it('may ask in this process', async () => {
    const { runs, read, erase } = workshop();
    const asked: unknown[] = [];
    const agent = new Agent({
      model: scripted(steps),
      tools: [read, erase],
      approve: ({ callId, tool: name, arguments: args }) => {
        asked.push([callId, name, args]);
        return callId === 'call_2' ? { allow: true, arguments: { path: 'B' } } : callId === 'call_5';
      },
    });
    const { output, messages } = await agent.run('tidy up');
    expect(output).toBe('all done');
    expect(asked).toEqual([
      ['call_2', 'erase', { path: 'b' }],
      ['call_4', 'erase', { path: 'd' }],
      ['call_5', 'erase', { path: 'e' }],
    ]);
    expect(runs.toSorted()).toEqual(['erase B', 'erase e', 'read a', 'read c']);
    expect(messages.filter(({ role }) => role === 'tool')[3]).toMatchObject({ isError: true });
  });

  it.each<unknown>([undefined, 'yes', 1, {}, { allow: 1 }])('takes %j for a no', async decision => {
    const { runs, erase } = workshop();
    const model = scripted([calls(call('erase', 'x')), 'ok']);
    await new Agent({ model, tools: [erase], approve: () => decision as boolean }).run('go');
    expect(runs).toEqual([]);
  });

  it('ends when nobody can be asked, and the model never reads why', async () => {
    const { runs, erase } = workshop();
    const approve = () => Promise.reject(new Error('the dialog broke'));
    const options = { tools: [erase], approve };
    const failing = new Agent({ model: scripted([calls(call('erase', 'x'))]), ...options }).run('go');
    await expect(failing).rejects.toMatchObject({ stage: 'tool', cause: new Error('the dialog broke') });
    const model = scripted([calls(call('erase', 'x')), 'ok']);
    const { messages } = await new Agent({ model, ...options, onToolFailure: 'observe' }).run('go');
    expect(messages[2]).toMatchObject({
      content: 'Tool "erase" was not run: it could not be decided whether it may',
    });
    expect(runs).toEqual([]);
  });

  it('is left at once when the run is aborted while somebody decides', async () => {
    const { runs, erase } = workshop();
    const controller = new AbortController();
    const approve = () => {
      controller.abort(new Error('enough'));
      return new Promise<boolean>(() => {});
    };
    const agent = new Agent({ model: scripted([calls(call('erase', 'x'))]), tools: [erase], approve });
    const error = await agent.run('go', { signal: controller.signal }).catch((thrown: unknown) => thrown);
    expect(isRunAbortedError(error)).toBe(true);
    expect(runs).toEqual([]);
  });

  it('can go on with a run that another one paused', async () => {
    const { runs, erase } = workshop();
    const script = [calls(call('erase', 'x'), call('erase', 'y')), 'ok'];
    const first = paused(await new Agent({ model: scripted(script), tools: [erase], pause: true }).run('go'));
    const decisions: Decisions = { call_1: true };
    const agent = new Agent({ model: scripted(['ok']), tools: [erase], approve: () => false });
    expect((await agent.resume(first.state, decisions)).output).toBe('ok');
    expect(runs).toEqual(['erase x']);
  });
});

import { describe, expect, it } from 'vitest';
import { type ScriptedModel, scripted } from '../../testing/scripted.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';
import type { ToolSource } from '../../tools/tool-source.ts';
import { Agent } from '../agent.ts';
import type { RunError } from '../errors.ts';
import type { RunEvent } from '../events.ts';

function named(name: string, said = name): AnyTool {
  return tool({ name, description: said, run: () => said });
}

/** A source that gives these lists one after another, the last one for good; it counts how often it is asked. */
function source(...lists: (readonly AnyTool[])[]): ToolSource & { asked: number } {
  return {
    asked: 0,
    tools() {
      this.asked += 1;
      return Promise.resolve(lists[Math.min(this.asked, lists.length) - 1] ?? []);
    },
  };
}

function offered(model: ScriptedModel): readonly (readonly string[])[] {
  return model.requests.map(request => (request.tools ?? []).map(spec => spec.name));
}

async function failure(run: Promise<unknown>): Promise<RunError> {
  return run.then(
    () => expect.fail('the run succeeded'),
    (error: RunError) => error,
  );
}

describe('the tools of an agent', () => {
  it('may be a source, or a list of tools and sources; own tools come first', async () => {
    const model = scripted(['a', 'b']);
    await new Agent({ model, tools: source([named('x')]) }).run('go');
    await new Agent({ model, tools: [source([named('x')]), named('own'), source([named('y')])] }).run('go');
    expect(offered(model)).toEqual([['x'], ['own', 'x', 'y']]);
  });

  it('of sources are asked for before each request, and never within a turn', async () => {
    const first = source([named('a')], [named('a'), named('b')]);
    const model = scripted([
      { toolCalls: [{ name: 'a' }, { name: 'a' }] },
      { toolCalls: [{ name: 'b' }] },
      'done',
    ]);
    const { messages } = await new Agent({ model, tools: [first] }).run('go');
    expect(offered(model)).toEqual([['a'], ['a', 'b'], ['a', 'b']]);
    expect(first.asked).toBe(3);
    expect(messages.filter(message => message.role === 'tool').map(({ content }) => content)).toEqual([
      'a',
      'a',
      'b',
    ]);
  });

  it('that vanished between turns are unknown to a call, which is told which there are', async () => {
    const model = scripted([{ toolCalls: [{ name: 'a' }] }, { toolCalls: [{ name: 'a' }] }, 'done']);
    const tools = source([named('a')], [named('b')]);
    const { messages, counts } = await new Agent({ model, tools }).run('go');
    expect(messages.at(-2)?.content).toBe('There is no tool named "a"; use one of: b');
    expect(counts).toMatchObject({ toolCalls: 1, rejectedCalls: 1 });
  });

  it('are not looked at again while the list is the same object, over all runs', async () => {
    let looked = 0;
    const watched: AnyTool = {
      ...named('a'),
      get input() {
        looked += 1;
        return { type: 'object' };
      },
    };
    const model = scripted([{ toolCalls: [{ name: 'a' }] }, 'done'], { cycle: true });
    const agent = new Agent({ model, tools: source([watched]) });
    await agent.run('go');
    await agent.run('go');
    expect(model.requests).toHaveLength(4);
    expect(looked).toBe(1);
  });

  it('are never shadowed by those of a source, nor those of one source by the next; each is noted once', async () => {
    const notes: RunEvent[] = [];
    const list = [named('own', 'foreign'), named('x')];
    const model = scripted([{ toolCalls: [{ name: 'own' }, { name: 'x' }] }, 'done']);
    const agent = new Agent({
      model,
      tools: [named('own'), source(list, [...list]), source([named('x', 'late')])],
      onEvent: event => event.type === 'note' && notes.push(event),
    });
    const { messages, notes: kept } = await agent.run('go');
    expect(messages.slice(2, 4).map(({ content }) => content)).toEqual(['own', 'x']);
    expect(notes).toMatchObject([
      { code: 'tool-name-taken', turn: 1, message: expect.stringContaining('"own" is taken') },
      { code: 'tool-name-taken', turn: 1, message: expect.stringContaining('"x" is taken') },
    ]);
    expect(kept).toHaveLength(2);
  });

  it('of a source that cannot be used are dropped alone, with the reason', async () => {
    const bad = { ...named('bad'), input: { type: 'string' } };
    const odd = [null, { name: 'nameless' }, { ...named('broken'), run: 5 }] as unknown as AnyTool[];
    const model = scripted([{ toolCalls: [{ name: 'good' }] }, 'done']);
    const { notes, output } = await new Agent({
      model,
      tools: source([bad, ...odd, named('good')]),
    }).run('go');
    expect(output).toBe('done');
    expect(offered(model)[0]).toEqual(['good']);
    expect(notes.map(note => note.code)).toEqual(Array.from({ length: 4 }, () => 'tool-unusable'));
    expect(notes[0]?.message).toMatch(/tool "bad": input is not a usable schema/);
    expect(notes[1]?.message).toMatch(/tools\[1\] is not a tool/);
  });

  it('of the agent itself must be usable', () => {
    const bad = { ...named('bad'), input: { type: 'string' } };
    const model = scripted([]);
    expect(() => new Agent({ model, tools: [source([]), bad] })).toThrow(/"bad": input/);
    expect(() => new Agent({ model, tools: [source([]), null as never] })).toThrow(
      /tools\[1\] is not a tool/,
    );
    expect(() => new Agent({ model, tools: 5 as never })).toThrow(/list of tools, or a source/);
  });
});

describe('a source', () => {
  it('that fails ends the run at stage tool, with its error as the cause', async () => {
    const cause = new Error('no connection');
    const tools: ToolSource = { tools: () => Promise.reject(cause) };
    const model = scripted([]);
    const error = await failure(new Agent({ model, tools }).run('go'));
    expect(error).toMatchObject({ stage: 'tool', cause });
    expect(error.message).toContain('the tools could not be listed: no connection');
    expect(model.requests).toHaveLength(0);
  });
  it.each([
    [
      'throws at once',
      () => {
        throw new Error('odd');
      },
    ],
    ['gives no list', () => Promise.resolve('x')],
  ])('that %s ends the run too', async (_, tools) => {
    const error = await failure(new Agent({ model: scripted([]), tools: { tools } as never }).run('go'));
    expect(error.stage).toBe('tool');
  });
  it('that hangs is left at once when the run is aborted, and hears of it', async () => {
    const controller = new AbortController();
    let heard: AbortSignal | undefined;
    const tools: ToolSource = {
      tools(options) {
        heard = options?.signal;
        controller.abort(new Error('enough'));
        return new Promise(() => {});
      },
    };
    const run = new Agent({ model: scripted([]), tools }).run('go', { signal: controller.signal });
    const error = await failure(run);
    expect(error.name).toBe('AbortError');
    expect(error.message).toContain('while tools were listed for turn 1');
    expect(heard?.aborted).toBe(true);
  });
});

describe('the choice of a tool', () => {
  it('by name as text offers only that tool, also one of a source', async () => {
    const model = scripted(['a']);
    await new Agent({ model, tools: [named('own'), source([named('x')])], toolChoice: 'x' }).run('go');
    expect(offered(model)).toEqual([['x']]);
    expect(model.requests[0]).not.toHaveProperty('toolChoice');
  });
  it('that no source gives is noted, and nothing is offered', async () => {
    const model = scripted(['a']);
    const { notes } = await new Agent({ model, tools: source([named('x')]), toolChoice: 'y' }).run('go');
    expect(offered(model)).toEqual([[]]);
    expect(notes).toMatchObject([{ code: 'tool-choice-missing' }]);
  });
  it.each(['auto', 'none'] as const)('%s goes with every request', async toolChoice => {
    const model = scripted([{ toolCalls: [{ name: 'own' }] }, 'done']);
    await new Agent({ model, tools: [named('own')], toolChoice }).run('go');
    expect(model.requests.map(request => request.toolChoice)).toEqual([toolChoice, toolChoice]);
  });
  it.each(['required', { name: 'own' }] as const)(
    '%j holds until there was a call, then the model chooses',
    async toolChoice => {
      const model = scripted([
        { toolCalls: [{ name: 'own' }] },
        'done',
        { toolCalls: [{ name: 'own' }] },
        'done',
      ]);
      const agent = new Agent({ model, tools: [named('own')], toolChoice });
      await agent.run('go');
      await agent.run('again');
      expect(model.requests.map(request => request.toolChoice)).toEqual([
        toolChoice,
        undefined,
        toolChoice,
        undefined,
      ]);
    },
  );
  it('says nothing where there are no tools', async () => {
    const model = scripted(['a']);
    await new Agent({ model, toolChoice: 'required' }).run('go');
    expect(model.requests[0]).not.toHaveProperty('toolChoice');
  });
  it('of a tool that no source gives is left to the model, and noted', async () => {
    const model = scripted(['a']);
    const agent = new Agent({ model, tools: source([named('x')]), toolChoice: { name: 'y' } });
    const { notes } = await agent.run('go');
    expect(model.requests[0]).not.toHaveProperty('toolChoice');
    expect(notes).toMatchObject([{ code: 'tool-choice-missing', message: expect.stringContaining('"y"') }]);
  });
  it.each([
    ['required' as const, 'a call'],
    [{ name: 'own' }, 'a call of "own"'],
  ])('that the model does not meet (%j) is noted', async (toolChoice, asked) => {
    const events: string[] = [];
    const agent = new Agent({
      model: scripted(['no']),
      tools: [named('own')],
      toolChoice,
      onEvent: event => event.type === 'note' && events.push(event.code),
    });
    const { output, notes } = await agent.run('go');
    expect(output).toBe('no');
    const message = `toolChoice asks for ${asked}, and the model made none in turn 1`;
    expect(notes).toEqual([{ code: 'tool-choice-unmet', message }]);
    expect(events).toEqual(['tool-choice-unmet']);
    const met = scripted([{ toolCalls: [{ name: 'own' }] }, 'done']);
    expect((await new Agent({ model: met, tools: [named('own')], toolChoice }).run('go')).notes).toEqual([]);
  });
  it.each([5, {}, null])('that is none is refused: %j', toolChoice => {
    expect(() => new Agent({ model: scripted([]), toolChoice: toolChoice as never })).toThrow(
      /toolChoice must be/,
    );
  });
});

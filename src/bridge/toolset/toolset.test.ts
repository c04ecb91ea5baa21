import { describe, expect, it } from 'vitest';
import { Agent } from '../../agent/agent.ts';
import { isRunError } from '../../agent/errors.ts';
import { connect } from '../../client/client.ts';
import { isConnectionError } from '../../rpc/connection-error.ts';
import { codes, isProtocolError, ProtocolError } from '../../rpc/protocol-error.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { toolset } from './toolset.ts';

const schema = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Where' } },
  required: ['city'],
  additionalProperties: false,
} as const;

function weather(run: (args: { city: string }) => unknown): AnyTool {
  return tool({ name: 'weather', description: 'Tells the weather', input: schema, run: run as never });
}

async function withServer<T>(
  tools: readonly AnyTool[],
  use: (client: Awaited<ReturnType<typeof connect>>) => Promise<T>,
) {
  const client = await connect(new Server({ name: 'sky', version: '1', tools, onFault: () => {} }));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const call = (args: string) => ({ toolCalls: [{ id: 'c1', name: 'weather', arguments: args }] });

async function runOnce(tools: readonly AnyTool[], args = '{"city":"Oslo"}') {
  return withServer(tools, async client => {
    const model = scripted([call(args), { text: 'done' }]);
    const agent = new Agent({ model, tools: await toolset(client).tools() });
    const result = await agent.run('weather?');
    return { result, model, toolMessage: result.messages.find(message => message.role === 'tool') };
  });
}

it.each([undefined, [undefined], {}])('toolset says what to give in place of %j', clients => {
  expect(() => toolset(clients as never)).toThrow(TypeError);
  expect(() => toolset(clients as never)).toThrow(/^toolset: .* must be a client as connect\(…\) gives it/);
});

describe('toolset', () => {
  it('hands name, description and schema on as the server gave them', async () => {
    await withServer([weather(() => 'x')], async client => {
      const [bridged] = await toolset(client).tools();
      expect(bridged).toMatchObject({ name: 'weather', description: 'Tells the weather' });
      expect(bridged?.input).toEqual(schema);
    });
  });

  it('gives the model exactly the text of the server', async () => {
    const { toolMessage, result } = await runOnce([weather(({ city }) => `sunny in ${city}`)]);
    expect(toolMessage).toMatchObject({ role: 'tool', toolCallId: 'c1', content: 'sunny in Oslo' });
    expect(result.output).toBe('done');
  });

  it('feeds a flagged result back as a failure that the model can mend', async () => {
    let calls = 0;
    const flaky = weather(() => {
      calls += 1;
      if (calls === 1) throw new ToolError('name the country too');
      return 'sunny';
    });
    await withServer([flaky], async client => {
      const model = scripted([call('{"city":"Oslo"}'), call('{"city":"Oslo, Norway"}'), { text: 'done' }]);
      const agent = new Agent({ model, tools: await toolset(client).tools() });
      const { messages } = await agent.run('weather?');
      const results = messages.filter(message => message.role === 'tool');
      expect(results.map(message => message.content)).toEqual(['name the country too', 'sunny']);
    });
  });

  it('ends the run when the flagged results go past the retry budget', async () => {
    const broken = weather(() => {
      throw new ToolError('never');
    });
    await withServer([broken], async client => {
      const model = scripted([
        call('{"city":"a"}'),
        call('{"city":"b"}'),
        call('{"city":"c"}'),
        call('{"city":"d"}'),
      ]);
      const agent = new Agent({ model, tools: await toolset(client).tools(), toolRetries: 1 });
      const error = await agent.run('weather?').catch((thrown: unknown) => thrown);
      expect(isRunError(error) && error.stage).toBe('tool');
      expect(isRunError(error) && error.tool).toBe('weather');
      expect(isRunError(error) && error.attempts).toBe(2);
    });
  });

  it('ends the run at stage tool with the protocol error as its cause', async () => {
    const refusing = weather(() => {
      throw new ProtocolError(codes.internalError, 'out of order');
    });
    await withServer([refusing], async client => {
      const model = scripted([call('{"city":"a"}')]);
      const agent = new Agent({ model, tools: await toolset(client).tools() });
      const error = await agent.run('weather?').catch((thrown: unknown) => thrown);
      if (!isRunError(error) || !isProtocolError(error.cause)) throw error;
      expect(error.stage).toBe('tool');
      expect(error.cause.code).toBe(codes.internalError);
    });
  });

  it('ends the run with the connection error when the server went away', async () => {
    const client = await connect(new Server({ name: 'sky', version: '1', tools: [weather(() => 'x')] }));
    const agent = new Agent({
      model: scripted([call('{"city":"a"}')]),
      tools: await toolset(client).tools(),
    });
    await client.close();
    const error = await agent.run('weather?').catch((thrown: unknown) => thrown);
    expect(isRunError(error) && isConnectionError(error.cause)).toBe(true);
  });

  it('lets the caller’s abort win and tells the server of it', async () => {
    let aborted: unknown;
    const controller = new AbortController();
    const waiting = tool({
      name: 'weather',
      description: 'Waits',
      input: schema,
      run: (_args, ctx) =>
        new Promise<string>((_resolve, reject) => {
          ctx.signal.addEventListener('abort', () => {
            aborted = ctx.signal.reason;
            reject(ctx.signal.reason);
          });
          controller.abort(new Error('enough'));
        }),
    });
    await withServer([waiting], async client => {
      const agent = new Agent({
        model: scripted([call('{"city":"a"}')]),
        tools: await toolset(client).tools(),
      });
      const error = await agent
        .run('weather?', { signal: controller.signal })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'AbortError', cause: new Error('enough') });
      // The cancellation is on its way; an answered request proves that it has arrived.
      await client.tools().all();
      expect(aborted).toMatchObject({ name: 'AbortError' });
    });
  });

  it('answers malformed and unfitting arguments without asking the server', async () => {
    let calls = 0;
    const counting = weather(() => {
      calls += 1;
      return 'sunny';
    });
    await withServer([counting], async client => {
      const model = scripted([
        call('{"city":'),
        call('{"town":"Oslo"}'),
        call('{"city":"Oslo"}'),
        { text: 'done' },
      ]);
      const agent = new Agent({ model, tools: await toolset(client).tools() });
      const { messages } = await agent.run('weather?');
      const results = messages
        .filter(message => message.role === 'tool')
        .map(message => String(message.content));
      expect(results[0]).toContain('not valid JSON');
      expect(results[1]).toContain('city');
      expect(results[2]).toBe('sunny');
      expect(calls).toBe(1);
    });
  });

  it('runs calls to one server at the same time', async () => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const together = weather(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>(resolve => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const go of waiting) go();
      });
      running -= 1;
      return 'x';
    });
    await withServer([together], async client => {
      const toolCalls = ['a', 'b', 'c'].map(id => ({ id, name: 'weather', arguments: `{"city":"${id}"}` }));
      const agent = new Agent({
        model: scripted([{ toolCalls }, { text: 'done' }]),
        tools: await toolset(client).tools(),
      });
      await agent.run('weather?');
      expect(most).toBe(3);
    });
  });

  it('joins the tools of several servers, in the order of servers and lists', async () => {
    const first = await connect(new Server({ name: 'one', version: '1', tools: [weather(() => 'x')] }));
    const tide = tool({ name: 'tide', description: '', run: () => 'x' });
    const second = await connect(new Server({ name: 'two', version: '1', tools: [tide] }));
    const third = await connect(new Server({ name: 'three', version: '1', tools: [weather(() => 'y')] }));
    const joined = await toolset([second, first]).tools();
    expect(joined.map(({ name }) => name)).toEqual(['tide', 'weather']);
    const filtered = await toolset([first, third], { filter: (_tool, client) => client !== third }).tools();
    expect(filtered.map(({ name }) => name)).toEqual(['weather']);
    await Promise.all([first.close(), second.close(), third.close()]);
  });
});

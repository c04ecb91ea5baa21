import { describe, expect, it } from 'vitest';
import { plainClient, sent } from '../../../test/fixtures/plain-server.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import type { ToolContext } from '../../tools/context.ts';
import { tool } from '../../tools/tool.ts';
import { isToolError } from '../../tools/tool-error.ts';
import { clientOf, echo, namesOf, runTool, textOf, withClients } from './fixtures/toolset-servers.ts';
import type { ToolsetOptions } from './toolset-options.ts';

describe('an adjusted tool', () => {
  const adjust = {
    '*': { timeout: 1_000 },
    echo: {
      rename: 'say',
      describe: (was: string) => `${was}, loudly`,
      pin: { tenant: 'acme' },
      hide: ['depth'],
    },
    'one/echo': { retries: 5, sequential: true },
  };

  it('shows neither pinned nor hidden arguments, and sends them', async () => {
    const one = await clientOf('one', [echo]);
    await withClients({ one }, { adjust }, async set => {
      const tools = await set.tools();
      expect(tools[0]).toMatchObject({
        name: 'say',
        description: 'Says it again, loudly',
        retries: 5,
        sequential: true,
      });
      expect(tools[0]?.input).toEqual({
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
      });
      // Names that the schema does not list are not forbidden; the held ones do not get through all the same.
      const sentAs = await runTool(tools, 'say', { text: 'hi', tenant: 'other', depth: 9, more: 1 });
      expect(JSON.parse(textOf(sentAs))).toEqual({ text: 'hi', more: 1, depth: 3, tenant: 'acme' });
    });
  });

  it('gets pinned values from the dependencies of the run', async () => {
    const one = await clientOf('one', [echo]);
    const pin = { tenant: async (ctx: ToolContext<{ tenant: string }>) => ctx.deps.tenant };
    await withClients({ one }, { adjust: { echo: { pin } } }, async set => {
      const result = await runTool(
        await set.tools(),
        'echo',
        { text: 'x', depth: 1 },
        { deps: { tenant: 't7' } },
      );
      expect(JSON.parse(textOf(result))).toMatchObject({ tenant: 't7' });
    });
  });

  it('that hides what is required and has no default is dropped alone', async () => {
    const one = await clientOf('one', [echo, 'other']);
    await withClients({ one }, { adjust: { echo: { hide: ['text'] } } }, async set => {
      expect(namesOf(await set.tools())).toEqual(['other']);
      expect(set.dropped()[0]?.reason).toMatch(/"text" cannot be hidden: it is required .* pin it/);
    });
  });

  it('has a time limit that holds without an agent and leaves no timer', async () => {
    const clock = manualClock();
    let begun: () => void = () => {};
    const running = new Promise<void>(resolve => {
      begun = resolve;
    });
    const slow = tool({
      name: 'slow',
      description: '',
      run: (_args, ctx) =>
        new Promise<string>((_resolve, reject) => {
          ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
          begun();
        }),
    });
    const one = await clientOf('one', [slow]);
    await withClients({ one }, { clock, adjust: { slow: { timeout: 250 } } }, async set => {
      const call = runTool(await set.tools(), 'slow').catch((error: unknown) => error);
      await running;
      clock.advance(250);
      expect(await call).toMatchObject({ name: 'TimeoutError', limit: 'tool', ms: 250 });
      expect(clock.pending).toBe(0);
    });
  });

  it('reaches its server as often as it may, and then refuses in a way the model can read', async () => {
    const { client, server } = await plainClient({
      'tools/list': () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [] }),
    });
    await withClients({ one: client }, { adjust: { a: { maxCalls: 2 } } }, async set => {
      const tools = await set.tools();
      await runTool(tools, 'a');
      await runTool(tools, 'a');
      const error = await runTool(tools, 'a').catch((thrown: unknown) => thrown);
      expect(isToolError(error) && error.message).toMatch(/may be called 2 times, and was/);
      expect(sent(server, 'tools/call')).toHaveLength(2);
    });
  });

  it('fails a call by name when the function of a pinned argument does', async () => {
    const one = await clientOf('one', [echo]);
    const pin = {
      tenant: (): never => {
        throw new Error('nobody is logged in');
      },
    };
    await withClients({ one }, { adjust: { echo: { pin } } }, async set => {
      await expect(runTool(await set.tools(), 'echo', { text: 'x', depth: 1 })).rejects.toThrow(
        'the function for the pinned argument "tenant" failed: nobody is logged in',
      );
    });
  });

  it('whose description cannot be made is left out alone', async () => {
    const one = await clientOf('one', ['a', 'b', 'c']);
    const broken = (): never => {
      throw new Error('no words');
    };
    const adjust = { a: { describe: broken }, b: { describe: (() => 3) as never } };
    await withClients({ one }, { adjust }, async set => {
      expect(namesOf(await set.tools())).toEqual(['c']);
      expect(set.dropped().map(({ reason }) => reason)).toEqual([
        'no words',
        '"describe" must give a string, got 3',
      ]);
    });
  });

  it('sends the trace of its call along', async () => {
    const { client, server } = await plainClient({
      'tools/list': () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [] }),
    });
    await withClients({ one: client }, {}, async set => {
      const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
      await runTool(await set.tools(), 'a', {}, { trace });
      expect(sent(server, 'tools/call')[0]?.params?.['_meta']).toMatchObject(trace);
    });
  });

  it('is changed by a function, whose fault leaves out that tool alone', async () => {
    const one = await clientOf('one', ['a', 'b', 'c']);
    const byFunction: ToolsetOptions['adjust'] = ({ name }) => {
      if (name === 'a') throw new Error('cannot say');
      if (name === 'b') return { timeout: -1 };
      return { rename: 'see' };
    };
    await withClients({ one }, { adjust: byFunction }, async set => {
      expect(namesOf(await set.tools())).toEqual(['see']);
      expect(set.dropped().map(({ tool: name, reason }) => `${name}: ${reason}`)).toEqual([
        'a: cannot say',
        expect.stringMatching(/^b: .*timeout must be a number of milliseconds above 0, got -1/),
      ]);
    });
  });
});

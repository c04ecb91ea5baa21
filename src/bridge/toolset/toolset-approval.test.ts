import { describe, expect, it } from 'vitest';
import { plainClient, sent } from '../../../test/fixtures/plain-server.ts';
import { Agent } from '../../agent/agent.ts';
import type { ApproveTool } from '../../agent/approval/decisions.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { scripted } from '../../testing/scripted.ts';
import { isToolError } from '../../tools/tool-error.ts';
import type { ToolApprovalRequest } from './call-approval.ts';
import {
  clientOf,
  echo,
  listen,
  namesOf,
  reader,
  runTool,
  textOf,
  withClients,
} from './fixtures/toolset-servers.ts';
import { toolset } from './toolset.ts';
import type { ToolsetOptions } from './toolset-options.ts';

describe('approval', () => {
  it('is asked for each call with all that is known, and a denial says why', async () => {
    const asked: ToolApprovalRequest[] = [];
    const { onEvent, events } = listen();
    const approve = (request: ToolApprovalRequest) => {
      asked.push(request);
      return request.tool === 'reader' || { allow: false, reason: 'not on a Monday' };
    };
    const one = await clientOf('one', [echo, reader]);
    const options: ToolsetOptions = {
      approve,
      onEvent,
      adjust: { echo: { rename: 'say', pin: { tenant: 't' } } },
    };
    await withClients({ one }, options, async set => {
      const tools = await set.tools();
      const error = await runTool(tools, 'say', { text: 'hi', depth: 1 }).catch((thrown: unknown) => thrown);
      expect(isToolError(error) && error.message).toMatch(/"say" was not run: .*not on a Monday/);
      expect(textOf(await runTool(tools, 'reader'))).toBe('read');
    });
    expect(asked).toMatchObject([
      { server: 'one', tool: 'echo', name: 'say', arguments: { text: 'hi', tenant: 't' } },
      { server: 'one', tool: 'reader', annotations: { readOnlyHint: true } },
    ]);
    expect(events.filter(({ type }) => type === 'approval')).toMatchObject([
      { server: 'one', tool: 'echo', allowed: false, reason: expect.stringContaining('Monday') },
      { server: 'one', tool: 'reader', allowed: true },
    ]);
  });

  it('is not asked for tools of trusted servers that only read, nor where the options say so', async () => {
    const asked: string[] = [];
    const approve = ({ tool: name }: ToolApprovalRequest): boolean => {
      asked.push(name);
      return true;
    };
    const callAll = async (options: ToolsetOptions): Promise<readonly string[]> => {
      const one = await clientOf('one', [reader, 'a', 'b']);
      return withClients({ one }, { approve, ...options }, async set => {
        asked.length = 0;
        const tools = await set.tools();
        for (const name of namesOf(tools)) await runTool(tools, name);
        return [...asked];
      });
    };
    expect(await callAll({})).toEqual(['reader', 'a', 'b']);
    expect(await callAll({ trustAnnotations: true })).toEqual(['a', 'b']);
    expect(await callAll({ needsApproval: 'b' })).toEqual(['b']);
    expect(
      await callAll({
        needsApproval: 'b',
        adjust: { a: { needsApproval: true }, b: { needsApproval: false } },
      }),
    ).toEqual(['a']);
  });

  it('is given what is sent, which nobody can change any more', async () => {
    const filters = { folder: ['a'] };
    const seen: unknown[] = [];
    const approve = (request: ToolApprovalRequest): boolean => {
      seen.push(request.arguments);
      filters.folder.push('evil');
      const args = request.arguments as { text: string; filters: { folder: string[] } };
      expect(() => {
        args.text = 'evil';
      }).toThrow(TypeError);
      expect(() => args.filters.folder.push('evil')).toThrow(TypeError);
      return true;
    };
    const one = await clientOf('one', [echo]);
    await withClients({ one }, { approve }, async set => {
      const args = { text: 'hi', tenant: 't', depth: 1, filters };
      const result = await runTool(await set.tools(), 'echo', args);
      expect(JSON.parse(textOf(result))).toEqual({ ...args, filters: { folder: ['a'] } });
    });
    expect(seen).toHaveLength(1);
  });

  it('that comes too late or fails is a denial, and its time does not count for the tool', async () => {
    const clock = manualClock();
    let isAsked: () => void = () => {};
    const wasAsked = new Promise<void>(resolve => {
      isAsked = resolve;
    });
    const ask = ({ tool: name }: ToolApprovalRequest): Promise<boolean> => {
      if (name === 'b') throw new Error('a secret');
      isAsked();
      return new Promise(() => {});
    };
    const one = await clientOf('one', ['a', 'b']);
    await withClients(
      { one },
      { clock, approve: { ask, timeout: 9_000 }, adjust: { '*': { timeout: 100 } } },
      async set => {
        const tools = await set.tools();
        expect(tools[0]?.timeout).toBe(Number.POSITIVE_INFINITY);
        const late = runTool(tools, 'a').catch((error: unknown) => error);
        await wasAsked;
        clock.advance(9_000);
        expect(await late).toMatchObject({
          name: 'ToolError',
          message: expect.stringContaining('nobody approved it'),
        });
        const failed = await runTool(tools, 'b').catch((error: unknown) => error);
        expect(failed).toMatchObject({ name: 'ToolError' });
        expect(String(failed)).not.toContain('secret');
      },
    );
  });

  it('is left to the agent where the toolset has nobody to ask', async () => {
    const asked: unknown[] = [];
    const one = await clientOf('one', ['a', 'b']);
    await withClients({ one }, { needsApproval: 'b' }, async set => {
      expect((await set.tools()).map(each => each.needsApproval)).toEqual([undefined, true]);
      const model = scripted([{ toolCalls: [{ name: 'a' }, { name: 'b' }] }, 'done']);
      const approve: ApproveTool = ({ tool: name }) => {
        asked.push(name);
        return { allow: false, reason: 'not this one' };
      };
      const { messages } = await new Agent({ model, tools: set, approve }).run('go');
      const read = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
      expect(read).toEqual(['one:a', expect.stringContaining('not this one')]);
    });
    expect(asked).toEqual(['b']);
  });

  it('that is still awaited ends with the toolset, and the tool does not run', async () => {
    let begun: () => void = () => {};
    const wasAsked = new Promise<void>(resolve => {
      begun = resolve;
    });
    let aborted = false;
    const approve = ({ signal }: ToolApprovalRequest): Promise<boolean> => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      begun();
      return new Promise(() => {});
    };
    const { client, server } = await plainClient({
      'tools/list': () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }),
    });
    const set = toolset(client, { approve });
    const call = runTool(await set.tools(), 'a').catch((error: unknown) => error);
    await wasAsked;
    await set.close();
    expect(await call).toMatchObject({ reason: 'toolset-closed' });
    expect(aborted).toBe(true);
    expect(sent(server, 'tools/call')).toEqual([]);
    await client.close();
  });
});

describe('wrappers', () => {
  it('stand around each other, may change arguments, answer themselves and see the result', async () => {
    const seen: string[] = [];
    const one = await clientOf('one', [echo, 'other']);
    const options: ToolsetOptions = {
      wrap: [
        async (call, next) => {
          seen.push(`out ${call.server}/${call.tool}`);
          const result = await next();
          seen.push(`back ${textOf(result)}`);
          return result;
        },
        (call, next) =>
          call.tool === 'other'
            ? { content: [{ type: 'text', text: 'from memory' }], isError: false }
            : next({ ...call.arguments, text: 'changed' }),
      ],
    };
    await withClients({ one }, options, async set => {
      const tools = await set.tools();
      await runTool(tools, 'echo', { text: 'x', tenant: 't', depth: 1 });
      await runTool(tools, 'other');
    });
    expect(seen).toEqual([
      'out one/echo',
      'back {"text":"changed","tenant":"t","depth":1}',
      'out one/other',
      'back from memory',
    ]);
  });

  it('may send a call again, as often as the tool may be called', async () => {
    const { client, server } = await plainClient({
      'tools/list': () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [], isError: true }),
    });
    const options: ToolsetOptions = {
      adjust: { a: { maxCalls: 3 } },
      wrap: async (_call, next) => {
        for (;;) await next();
      },
    };
    await withClients({ one: client }, options, async set => {
      await expect(runTool(await set.tools(), 'a')).rejects.toThrow(/may be called 3 times/);
      expect(sent(server, 'tools/call')).toHaveLength(3);
    });
  });
});

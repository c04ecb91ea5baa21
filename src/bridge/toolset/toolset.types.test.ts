import { describe, expectTypeOf, it } from 'vitest';
import { Agent } from '../../agent/agent.ts';
import { type Client, connect } from '../../client/client.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';
import { toolset } from './toolset.ts';

describe('the tools of servers', () => {
  it('need nothing, and fit an agent whatever its other tools need', () => {
    const mixed = async (client: Client) => {
      const bridged = await toolset(client).tools();
      expectTypeOf(bridged).toEqualTypeOf<readonly AnyTool[]>();
      const own = tool({
        name: 'own',
        description: '',
        run: (_args, ctx: ToolContext<{ readonly user: string }>) => ctx.deps.user,
      });
      const agent = new Agent({ model: scripted([]), tools: [own, ...bridged] });
      expectTypeOf(agent).toEqualTypeOf<Agent<{ readonly user: string }, string>>();
      return new Agent({ model: scripted([]), tools: bridged }).run('nothing is needed');
    };
    expectTypeOf(mixed).toBeFunction();
  });

  it('are taken of clients whose calls are typed, one, several or by key, connected or not', () => {
    const typed = new Server({
      name: 'typed',
      version: '1',
      tools: [
        tool({
          name: 'add',
          description: '',
          input: { type: 'object', properties: { a: { type: 'number' } } },
          run: () => '',
        }),
      ],
    });
    const uses = async () => {
      const client = await connect(typed);
      toolset(client);
      toolset([client, await connect(typed)]);
      toolset({
        one: client,
        two: () => connect(typed),
        three: async ({ signal }) => connect(typed, { signal }),
      });
      // @ts-expect-error a server is not connected
      toolset(typed);
      // @ts-expect-error nor is its address
      toolset({ one: 'http://localhost' });
      return new Agent({ model: scripted([]), tools: toolset(client) });
    };
    expectTypeOf(uses).returns.resolves.toEqualTypeOf<Agent<unknown, string>>();
  });
});

import { describe, expectTypeOf, it } from 'vitest';
import { Agent } from '../agent/agent.ts';
import type { Client } from '../client/client.ts';
import { scripted } from '../testing/scripted.ts';
import type { ToolContext } from '../tools/context.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
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
});

import { expectTypeOf, it } from 'vitest';
import { Agent } from '../../agent/agent.ts';
import { scripted } from '../../testing/scripted.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import { serveAgent } from './serve-agent.ts';

interface Needs {
  readonly user: string;
}

const greet = tool({
  name: 'greet',
  description: '',
  run: (_args, ctx: ToolContext<Needs>) => ctx.deps.user,
});
const model = scripted(['x'], { cycle: true });
const about = { name: 'a', description: 'b' };
const needy = new Agent({ model, tools: [greet] });

it('a served agent is given what it needs', () => {
  expectTypeOf(serveAgent(needy, { ...about, deps: () => ({ user: 'x' }) })).toEqualTypeOf<Tool>();
  // @ts-expect-error dependencies are missing
  serveAgent(needy, about);
  // @ts-expect-error these are others
  serveAgent(needy, { ...about, deps: () => ({ user: 1 }) });
});

it('a served agent that needs nothing may be given nothing', () => {
  expectTypeOf(serveAgent(new Agent({ model }), about)).toEqualTypeOf<Tool>();
  serveAgent(new Agent({ model }), { ...about, deps: () => 'whatever', render: output => output.trim() });
});

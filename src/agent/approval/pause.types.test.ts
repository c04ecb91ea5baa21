import { describe, expectTypeOf, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import { Agent } from '../agent.ts';
import type { PromptInput } from '../agent-tool.ts';
import type { RunResult } from '../run-plan.ts';
import type { PausedRun } from './pause-run.ts';

interface Needs {
  readonly db: { find(key: string): string };
}

const input = {
  type: 'object',
  properties: { key: { type: 'string' } },
  required: ['key'],
  additionalProperties: false,
} as const;
const needy = tool({
  name: 'find',
  description: '',
  input,
  needsApproval: ({ key }) => key.startsWith('x'),
  run: ({ key }, ctx: ToolContext<Needs>) => ctx.deps.db.find(key),
});
const model = scripted(['x'], { cycle: true });
const deps: Needs = { db: { find: key => key } };
const output = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
} as const;

describe('an agent that may be paused', () => {
  it('gives a result or a paused run, told apart by `paused`', () => {
    const agent = new Agent({ model, tools: [needy], output, pause: true });
    expectTypeOf(agent).toEqualTypeOf<Agent<Needs, { n: number }, true>>();
    async () => {
      const outcome = await agent.run('go', { deps });
      expectTypeOf(outcome).toEqualTypeOf<RunResult<{ n: number }> | PausedRun>();
      // @ts-expect-error it may be paused
      outcome.output;
      if (outcome.paused)
        expectTypeOf(await agent.resume(outcome.state, {}, { deps })).toEqualTypeOf<
          RunResult<{ n: number }> | PausedRun
        >();
      else expectTypeOf(outcome.output).toEqualTypeOf<{ n: number }>();
      expectTypeOf(await agent.stream('go', { deps }).result).toEqualTypeOf<
        RunResult<{ n: number }> | PausedRun
      >();
    };
    // @ts-expect-error dependencies are missing
    () => agent.resume('{}', {});
  });

  it('does not pass for one that always ends', () => {
    const agent = new Agent({ model, pause: true });
    // @ts-expect-error whoever runs it would take a paused run for a result
    const careless: Agent = agent;
    const careful: Agent<unknown, string, boolean> = new Agent({ model });
    expectTypeOf([careless, careful]).toBeArray();
  });

  it('is one only with `pause: true`; others give results', () => {
    expectTypeOf(new Agent({ model })).toEqualTypeOf<Agent<unknown, string>>();
    expectTypeOf(new Agent({ model, pause: false })).toEqualTypeOf<Agent<unknown, string>>();
    expectTypeOf(new Agent({ model, approve: () => true })).toEqualTypeOf<Agent<unknown, string>>();
    expectTypeOf(new Agent<Needs>({ model, pause: true })).toEqualTypeOf<Agent<Needs, string, true>>();
    async () => {
      expectTypeOf(await new Agent({ model }).run('go')).toEqualTypeOf<RunResult>();
    };
  });
});

describe('an agent as a tool', () => {
  it('needs what the agent needs', () => {
    const agent = new Agent({ model, tools: [needy], approve: () => true });
    const made = agent.asTool({ name: 'x', description: '' });
    expectTypeOf(made).toEqualTypeOf<Tool<PromptInput, Needs>>();
    expectTypeOf(new Agent({ model, tools: [made] })).toEqualTypeOf<Agent<Needs, string>>();
    // @ts-expect-error the agent below needs a db
    () => new Agent<{ cache: string }>({ model, tools: [made] });
  });

  it('takes arguments of its own only with a prompt that is made of them', () => {
    const agent = new Agent({ model, output });
    const made = agent.asTool({
      name: 'x',
      description: '',
      input,
      prompt: ({ key }) => key,
      render: ({ n }) => `${n}`,
    });
    expectTypeOf(made).toEqualTypeOf<Tool<{ key: string }, unknown>>();
    // @ts-expect-error nothing makes the prompt
    () => agent.asTool({ name: 'x', description: '', input });
    // @ts-expect-error the output has no such member
    () => agent.asTool({ name: 'x', description: '', render: ({ m }) => m });
  });
});

import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { scripted } from '../testing/scripted.ts';
import type { ToolContext } from '../tools/context.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import type { ToolSource } from '../tools/tool-source.ts';
import { Agent } from './agent.ts';
import { type Conversation, conversation } from './history/conversation.ts';
import type { RunResult } from './run-plan.ts';

interface Needs {
  readonly db: { find(key: string): string };
}

interface User {
  readonly user: string;
}

const needy = tool({
  name: 'find',
  description: '',
  input: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
  run: (args, ctx: ToolContext<Needs>) => ctx.deps.db.find(args.key),
});
const plain = tool({ name: 'plain', description: '', run: () => 'x' });
const model = scripted(['x'], { cycle: true });
const deps: Needs = { db: { find: key => key } };

describe('an agent', () => {
  it('demands the dependencies of its tools at each run', () => {
    const agent = new Agent({ model, tools: [needy, plain] });
    expectTypeOf(agent).toEqualTypeOf<Agent<Needs, string>>();
    () => agent.run('go', { deps });
    // @ts-expect-error dependencies are missing
    () => agent.run('go');
    // @ts-expect-error dependencies are missing
    () => agent.stream('go', {});
    // @ts-expect-error these are others
    () => agent.run('go', { deps: { db: 1 } });
  });
  it('demands what all of its tools need together, and its instructions', () => {
    const other = tool({ name: 'who', description: '', run: (_, ctx: ToolContext<User>) => ctx.deps.user });
    const agent = new Agent({ model, tools: [needy, plain, other] });
    expectTypeOf(agent).toEqualTypeOf<Agent<Needs & User, string>>();
    () => agent.run('go', { deps: { ...deps, user: 'ann' } });
    // @ts-expect-error the user is missing
    () => agent.run('go', { deps });
    const source: ToolSource<User> = { tools: async () => [other] };
    expectTypeOf(new Agent({ model, tools: [needy, source] })).toEqualTypeOf<Agent<Needs & User, string>>();
    const pausing = new Agent({ model, tools: [needy, other], pause: true });
    expectTypeOf(pausing).toEqualTypeOf<Agent<Needs & User, string, true>>();
    const inline = new Agent({
      model,
      instructions: ({ deps: { locale } }: { deps: { readonly locale: string } }) => locale,
      tools: [
        needy,
        tool({ name: 'inline', description: '', run: (_, ctx: ToolContext<User>) => ctx.deps.user }),
      ],
    });
    expectTypeOf(inline).toEqualTypeOf<Agent<{ readonly locale: string } & Needs & User, string>>();
    const list: readonly AnyTool<Needs>[] = [needy];
    expectTypeOf(new Agent({ model, tools: [...list, other] })).toEqualTypeOf<Agent<Needs & User, string>>();
    expectTypeOf(new Agent({ model, tools: list })).toEqualTypeOf<Agent<Needs, string>>();
    expectTypeOf(new Agent({ model, tools: [] })).toEqualTypeOf<Agent<unknown, string>>();
    // @ts-expect-error one of the tools needs a user
    () => new Agent<Needs>({ model, tools: [needy, other] });
    () =>
      new Agent<Needs & User>({ model, tools: [needy, other] }).run('go', { deps: { ...deps, user: 'ann' } });
  });
  it('takes a tool that needs one of two things as it is', () => {
    const either = tool({
      name: 'either',
      description: '',
      run: (_, ctx: ToolContext<Needs | User>) => typeof ctx.deps,
    });
    expectTypeOf(new Agent({ model, tools: [either] })).toEqualTypeOf<Agent<Needs | User, string>>();
  });
  it('that needs dependencies does not pass for one that needs others, or none', () => {
    const agent = new Agent({ model, tools: [needy] });
    // @ts-expect-error whoever runs it would give no dependencies
    const careless: Agent = agent;
    // @ts-expect-error whoever runs it would give others
    const other: Agent<{ cache: string }> = agent;
    const generous: Agent<Needs & { cache: string }> = agent;
    const plainly: Agent<Needs> = new Agent({ model, tools: [plain] });
    expectTypeOf([careless, other, generous, plainly]).toBeArray();
  });
  it('demands none when nothing needs any', () => {
    const agent = new Agent({ model, tools: [plain] });
    expectTypeOf(agent).toEqualTypeOf<Agent<unknown, string>>();
    () => agent.run('go');
    () => agent.stream('go', { signal: new AbortController().signal });
  });
  it('refuses a tool whose needs are not among those it was declared with', () => {
    // @ts-expect-error the tool needs a db
    () => new Agent<{ cache: string }>({ model, tools: [needy] });
  });
  it('takes the needs of an instruction function too', () => {
    const agent = new Agent({
      model,
      instructions: (context: { deps: Needs }) => context.deps.db.find('who'),
    });
    expectTypeOf(agent).toEqualTypeOf<Agent<Needs, string>>();
  });
  it('gives text unless an output is declared', () => {
    const agent = new Agent({ model });
    expectTypeOf(agent.run).returns.resolves.toEqualTypeOf<RunResult<string>>();
  });
  it('infers its output from plain JSON Schema and from a schema library', () => {
    const one = new Agent({
      model,
      output: {
        type: 'object',
        properties: { n: { type: 'integer' } },
        required: ['n'],
        additionalProperties: false,
      },
    });
    expectTypeOf(one.run).returns.resolves.toEqualTypeOf<RunResult<{ n: number }>>();
    const two = new Agent({ model, tools: [needy], output: z.object({ at: z.string().transform(Number) }) });
    expectTypeOf(two).toEqualTypeOf<Agent<Needs, { at: number }>>();
    expectTypeOf(two.run).returns.resolves.toEqualTypeOf<RunResult<{ at: number }>>();
  });
});

describe('sources of tools', () => {
  const needySource: ToolSource<Needs> = { tools: async () => [needy] };
  const plainSource: ToolSource = { tools: async () => [plain] };

  it('make an agent need what their tools need, alone or among tools', () => {
    expectTypeOf(new Agent({ model, tools: needySource })).toEqualTypeOf<Agent<Needs, string>>();
    expectTypeOf(new Agent({ model, tools: [plain, needySource] })).toEqualTypeOf<Agent<Needs, string>>();
    expectTypeOf(new Agent({ model, tools: [needy, plainSource] })).toEqualTypeOf<Agent<Needs, string>>();
    expectTypeOf(new Agent({ model, tools: [plain, plainSource] })).toEqualTypeOf<Agent<unknown, string>>();
    expectTypeOf(new Agent({ model, tools: plainSource })).toEqualTypeOf<Agent<unknown, string>>();
  });
  it('are refused where what they need is not given', () => {
    // @ts-expect-error the tools of the source need a db
    () => new Agent<{ cache: string }>({ model, tools: needySource });
    // @ts-expect-error the tools of the source need a db
    () => new Agent<{ cache: string }>({ model, tools: [plain, needySource] });
    // @ts-expect-error dependencies are missing
    () => new Agent({ model, tools: [plainSource, needySource] }).run('go');
  });
});

describe('a decode function', () => {
  const output = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  } as const;

  it('says what a run gives', () => {
    expectTypeOf(new Agent({ model, decode: text => text.length })).toEqualTypeOf<Agent<unknown, number>>();
    expectTypeOf(new Agent({ model, decode: async text => [text] })).toEqualTypeOf<
      Agent<unknown, string[]>
    >();
    expectTypeOf(new Agent({ model, tools: [needy], output, decode: ({ n }) => n > 1 })).toEqualTypeOf<
      Agent<Needs, boolean>
    >();
  });
  it('takes what the schema gives, or text', () => {
    // @ts-expect-error there is no such member
    () => new Agent({ model, output, decode: ({ m }) => m });
    // @ts-expect-error without a schema it is text
    () => new Agent({ model, decode: (value: number) => value });
  });
});

describe('a conversation', () => {
  it('demands the dependencies of its agent, and gives what it gives', () => {
    const chat = conversation(new Agent({ model, tools: [needy], decode: text => text.length }));
    expectTypeOf(chat).toEqualTypeOf<Conversation<Needs, number>>();
    () => chat.run('go', { deps });
    // @ts-expect-error dependencies are missing
    () => chat.run('go');
    // @ts-expect-error the history is its own
    () => chat.run('go', { deps, history: [] });
    () => conversation(new Agent({ model })).run('go');
  });
});

it('the choice of a tool is a word, a name, or an object with one', () => {
  () => new Agent({ model, toolChoice: 'required' });
  () => new Agent({ model, tools: [plain], toolChoice: { name: 'plain' } });
  // @ts-expect-error no choice
  () => new Agent({ model, toolChoice: { tool: 'plain' } });
});

import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { toolset } from '../bridge/toolset/toolset.ts';
import type { Channel } from '../channels/channel.ts';
import { Server } from '../server/server.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import type { CallToolResult } from './call-result.ts';
import { type Catalogue, catalogue } from './catalogue.ts';
import { type Client, connect } from './client.ts';

const add = tool({
  name: 'add',
  description: '',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
});
const note = tool({
  name: 'note',
  description: '',
  input: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
  run: ({ text }) => text ?? '',
});
const server = new Server({ name: 's', version: '1', tools: [add, note] });
const nobody = undefined as unknown as Channel;

describe('a client of a server of this program', () => {
  it('knows the tools, what they take and what they give', async () => {
    const client = await connect(server);
    const result = await client.call('add', { a: 1, b: 2 });
    expectTypeOf(result.structuredContent).toEqualTypeOf<{ sum: number } | undefined>();
    expectTypeOf(result.isError).toEqualTypeOf<boolean>();
    expectTypeOf(await client.call('note')).toEqualTypeOf<CallToolResult>();
    expectTypeOf(
      await client.call('note', { text: 'x' }, { timeouts: { idle: 5 } }),
    ).toExtend<CallToolResult>();
    const misuse = (): void => {
      // @ts-expect-error there is no such tool
      void client.call('sub');
      // @ts-expect-error b is missing
      void client.call('add', { a: 1 });
      // @ts-expect-error arguments are required
      void client.call('add');
      // @ts-expect-error text is a string
      void client.call('note', { text: 1 });
    };
    expectTypeOf(misuse).toBeFunction();
    await client.close();
  });

  it('is a client wherever one is wanted', async () => {
    const client = await connect(server);
    expectTypeOf(client).toExtend<Client>();
    toolset(client);
    toolset([client]);
    await client.close();
  });

  it('knows nothing of tools that are a plain list', () => {
    const tools: readonly AnyTool[] = [];
    const make = () => connect(new Server({ name: 's', version: '1', tools }));
    expectTypeOf<Awaited<ReturnType<typeof make>>['call']>().toBeCallableWith('anything', { x: 1 });
  });
});

describe('a client of another server', () => {
  it('takes any name and any arguments', () => {
    const make = () => connect(nobody);
    expectTypeOf<Awaited<ReturnType<typeof make>>>().toEqualTypeOf<Client>();
    expectTypeOf<Client['call']>().toBeCallableWith('anything');
    expectTypeOf<Client['call']>().toBeCallableWith('anything', { x: 1 });
  });

  it('is typed by a catalogue, given as a value or as a type', () => {
    interface Files {
      readonly read: { readonly args: { readonly path: string }; readonly structured: { text: string } };
    }
    const files: Catalogue<Files> = catalogue<Files>({ read: '00' });
    const byValue = () => connect(nobody, { catalogue: files });
    const byType = () => connect<Files>(nobody);
    expectTypeOf<Awaited<ReturnType<typeof byValue>>>().toEqualTypeOf<Client<Files>>();
    expectTypeOf<Awaited<ReturnType<typeof byType>>>().toEqualTypeOf<Client<Files>>();
    const use = (client: Client<Files>) => client.call('read', { path: 'x' });
    expectTypeOf<Awaited<ReturnType<typeof use>>['structuredContent']>().toEqualTypeOf<
      { text: string } | undefined
    >();
    expectTypeOf<Client<Files>>().toExtend<Client>();
  });
});

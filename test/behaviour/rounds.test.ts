import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/rpc/message.ts';
import { resource } from '../../src/server/resource.ts';
import { Server } from '../../src/server/server.ts';
import type { ToolContext } from '../../src/tools/context.ts';
import { needInput } from '../../src/tools/need-input.ts';
import { tool } from '../../src/tools/tool.ts';
import { type Answer, served } from '../fixtures/served.ts';

const form = {
  message: 'How many?',
  requestedSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
} as const;

function serverOf(run: (ctx: ToolContext) => unknown): Server {
  const tools = [tool({ name: 'it', description: '', run: (_args, ctx) => run(ctx) as string })];
  return new Server({ name: 's', version: '1', tools });
}

describe('rounds of the stateless era', () => {
  const requestOf = async (client: ReturnType<typeof served>, more: object = {}) =>
    (await client.ask('tools/call', { name: 'it', arguments: {}, ...more })) as Answer & {
      result?: { resultType: string; requestState?: string; inputRequests?: object };
    };
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };

  it('hide the memo from the client, change it each time, and refuse one that was changed', async () => {
    const server = serverOf(({ memo = 0 }) =>
      needInput({ a: { elicit: form } }, `secret ${(memo as number) + 1}`),
    );
    const client = served(server, 'stateless', { capabilities });
    const first = await requestOf(client);
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { a: { method: 'elicitation/create' } },
    });
    expect(JSON.stringify(client.sent as Message[])).not.toContain('secret');
    const { requestState = '' } = first.result ?? {};
    const inputResponses = { a: { action: 'decline' } };
    const second = await requestOf(client, { requestState, inputResponses });
    expect(second.result?.requestState).not.toBe(requestState);
    const tampered = await requestOf(client, { requestState: `${requestState}-TAMPERED`, inputResponses });
    expect(tampered.error).toMatchObject({ code: -32602 });
  });

  it('take answers that come with the first request, ignore keys that nobody asks for, and ask what is odd again', async () => {
    const server = serverOf(async ({ elicit }) => String((await elicit('a', form)).content?.['n']));
    const client = served(server, 'stateless', { capabilities });
    const answer = { action: 'accept', content: { n: 4 } };
    const early = await requestOf(client, { inputResponses: { a: answer, b: answer, c: 7 } });
    expect(early.result).toMatchObject({ resultType: 'complete', content: [{ text: '4' }] });
    for (const inputResponses of [{ a: 12_345 }, null, {}, { b: answer }, 'text']) {
      expect((await requestOf(client, { inputResponses })).result).toMatchObject({
        resultType: 'input_required',
      });
    }
    const wrong = await requestOf(client, {
      inputResponses: { a: { action: 'accept', content: { n: 'x' } } },
    });
    expect(wrong.error).toMatchObject({ code: -32602 });
  });
});

describe('a resource that is not there', () => {
  const server = new Server({
    name: 's',
    version: '1',
    resources: [resource({ uri: 'gone:1', name: 'gone', read: () => [] })],
  });

  it.each([
    ['handshake', -32002],
    ['stateless', -32602],
  ] as const)('is an error with its URI and, in the %s era, the number %d', async (how, code) => {
    for (const uri of ['none:such', 'gone:1']) {
      const { error } = await served(server, how).ask('resources/read', { uri });
      expect(error).toEqual({ code, message: `there is no resource at "${uri}"`, data: { uri } });
    }
  });

  it.each(['resources/subscribe', 'resources/unsubscribe'])(
    '%s is a method of the handshake era alone',
    async method => {
      const uri = 'gone:1';
      expect((await served(server, 'handshake').ask(method, { uri })).result).toEqual({});
      expect((await served(server, 'stateless').ask(method, { uri })).error?.code).toBe(-32601);
      expect((await served(server, 'handshake').ask(method, { uri: 7 })).error?.code).toBe(-32602);
    },
  );
});

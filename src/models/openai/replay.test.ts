import { describe, expect, it } from 'vitest';
import { json, model, request, stream } from '../../../test/fixtures/openai-replies.ts';
import { collect, type ModelResponse, toAssistantMessage } from '../collect.ts';
import type { AssistantMessage, ModelMessage, ToolCall } from '../model.ts';

const delta = (value: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: value, finish_reason: finish }] })}\n\n`;
const call = (more: object = {}): object => ({
  tool_calls: [
    { index: 0, id: 'c1', type: 'function', function: { name: 't', arguments: '{"a":1}' }, ...more },
  ],
});
const calling = (more: object = {}, ...before: readonly object[]): Response =>
  stream([...before.map(one => delta(one)), delta(call(more)), delta({}, 'tool_calls')]);
const done = (): Response => json({ choices: [{ message: { content: 'done' }, finish_reason: 'stop' }] });

type Turn = Record<string, unknown> & { readonly tool_calls?: Record<string, unknown>[] };

/** The turn of a first response as the next request sends it, and what came of that. */
async function next(
  first: Response,
  edit: (message: AssistantMessage) => AssistantMessage = message => message,
  ...replies: readonly Response[]
): Promise<{ turns: Turn[]; response: ModelResponse }> {
  const one = model([first, ...replies, done()]);
  const said = toAssistantMessage(await collect(one.respond(request)));
  // A history may be kept in a file.
  const message = edit(JSON.parse(JSON.stringify(said)) as AssistantMessage);
  const results = (message.toolCalls ?? []).map(
    ({ id, name }): ModelMessage => ({ role: 'tool', toolCallId: id, toolName: name, content: 'r' }),
  );
  const response = await collect(one.respond({ messages: [...request.messages, message, ...results] }));
  const turns = one.sent.slice(1).map(({ body }) => (body['messages'] as Turn[])[1] ?? {});
  return { turns, response };
}

describe('what goes back with a turn', () => {
  it('is the thought, under the name under which it came', async () => {
    for (const name of ['reasoning_content', 'reasoning']) {
      const { turns } = await next(calling({}, { [name]: 'let me ' }, { [name]: 'think' }));
      expect(turns[0]).toMatchObject({ role: 'assistant', content: null, [name]: 'let me think' });
      expect(turns[0]?.tool_calls).toHaveLength(1);
    }
  });

  it('is the thought of a turn without calls, where a server has a member of its own for it', async () => {
    const said = (name: string): Response =>
      stream([delta({ [name]: 'h' }), delta({ content: 'a' }, 'stop')]);
    expect((await next(said('reasoning_content'))).turns[0]).toHaveProperty('reasoning_content', 'h');
    expect((await next(said('reasoning'))).turns[0]).toEqual({ role: 'assistant', content: 'a' });
  });

  it('is an empty thought beside a call, and nothing where there was none', async () => {
    expect((await next(calling({}, { reasoning_content: '' }))).turns[0]).toHaveProperty(
      'reasoning_content',
      '',
    );
    const { turns } = await next(calling({}, { reasoning_content: null, reasoning: '' }));
    expect(Object.keys(turns[0] ?? {})).toEqual(['role', 'content', 'tool_calls']);
  });

  it('is the signature of a call', async () => {
    const signed = { extra_content: { google: { thought_signature: 'c2ln' } } };
    const { turns } = await next(calling(signed));
    expect(turns[0]?.tool_calls).toEqual([
      { id: 'c1', type: 'function', function: { name: 't', arguments: '{"a":1}' }, ...signed },
    ]);
  });

  it('are the details of a thought, put together again', async () => {
    const entry = (value: object): object => ({ reasoning_details: [value] });
    const text = { type: 'reasoning.text', index: 0 };
    const sealed = { type: 'reasoning.encrypted', id: 'c1', data: 'eA==', index: 1 };
    const { turns } = await next(
      calling(
        {},
        entry({ ...text, text: 'let ' }),
        entry({ ...text, text: 'me', signature: null }),
        entry({ ...text, signature: 'c2ln' }),
        entry(sealed),
      ),
    );
    expect(turns[0]?.['reasoning_details']).toEqual([{ ...text, text: 'let me', signature: 'c2ln' }, sealed]);
  });

  it('is a long id as it came, in which some servers carry a signature; one from elsewhere is shortened', async () => {
    const id = `call_1__thought__${'c2ln'.repeat(20)}`;
    const { turns } = await next(calling({ id }));
    expect(turns[0]?.tool_calls?.[0]?.['id']).toBe(id);
    const { turns: others } = await next(calling({ id }), ({ replay: _, ...message }) => message);
    expect(others[0]?.tool_calls?.[0]?.['id']).toMatch(/^call_1__thought__\w{23}$/);
  });

  it.each<[string, (calls: readonly ToolCall[]) => Partial<AssistantMessage>]>([
    [
      'calls with other arguments',
      ([one]) => ({ toolCalls: [{ id: 'c1', name: 't', ...one, arguments: '{}' }] }),
    ],
    ['calls another tool', ([one]) => ({ toolCalls: [{ id: 'c1', arguments: '{}', ...one, name: 'u' }] })],
    ['no longer calls', () => ({ toolCalls: [] })],
    ['says something else', () => ({ content: 'no' })],
    ['has the replay of another provider', () => ({ replay: { provider: 'gemini', items: [] } })],
    [
      'has a replay that is none',
      () => ({ replay: { provider: 'openai', items: 'x' as unknown as unknown[] } }),
    ],
    ['has a replay of odd items', () => ({ replay: { provider: 'openai', items: [{ tool_calls: [1] }] } })],
  ])('is nothing when the message %s by now', async (_, edit) => {
    const first = calling({}, { reasoning_content: 'secret' });
    const { turns } = await next(first, message => ({ ...message, ...edit(message.toolCalls ?? []) }));
    expect(JSON.stringify(turns)).not.toContain('secret');
  });
});

describe('a server', () => {
  const refuse = (message: string): Response => json({ error: { message } }, 400);

  it.each([
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    '[{"type":"extra_forbidden","loc":["body","messages",1,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}]',
  ])('that refuses thoughts is sent none: %s', async message => {
    const first = calling({ extra_content: { x: 1 } }, { reasoning_content: 'h' });
    const { turns, response } = await next(first, undefined, refuse(message));
    expect(turns[0]).toHaveProperty('reasoning_content');
    expect(JSON.stringify(turns[1])).not.toMatch(/reasoning|extra_content/);
    expect(response.notes).toMatchObject([{ code: 'thoughts-dropped' }]);
  });

  it('that wants thoughts is sent empty ones for turns of others', async () => {
    const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
    const { turns, response } = await next(calling(), undefined, refuse(message));
    expect(turns[0]).not.toHaveProperty('reasoning_content');
    expect(turns[1]).toHaveProperty('reasoning_content', '');
    expect(response.notes).toMatchObject([{ code: 'empty-thoughts-added' }]);
  });
});

import { describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/agent.ts';
import { findArtifact } from '../../src/agent/results/artifacts.ts';
import { toolset } from '../../src/bridge/toolset/toolset.ts';
import { type Client, connect } from '../../src/client/client.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { Server } from '../../src/server/server.ts';
import { type ScriptedStep, scripted } from '../../src/testing/scripted.ts';
import { audio, image, text } from '../../src/tools/content.ts';
import { type AnyTool, type ToolResult, tool } from '../../src/tools/tool.ts';

const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';

async function runWith(tools: readonly AnyTool[], steps: readonly ScriptedStep[]) {
  const client = await connect(new Server({ name: 'far', version: '1', tools, onFault: () => {} }));
  try {
    const model = scripted(steps);
    const run = await new Agent({ model, tools: toolset(client) }).run('go');
    return { run, model };
  } finally {
    await client.close();
  }
}

function returning(result: ToolResult): AnyTool {
  return tool({ name: 'far', description: '', run: () => result });
}

/** What the model was shown of the last result. */
function lastRead(requests: readonly ModelRequest[]): unknown {
  return requests.at(-1)?.messages.at(-1)?.content;
}

const once = [{ toolCalls: [{ name: 'far' }] }, 'done'];

describe('a failure that a server reports', () => {
  it.each([
    ['in words', { content: [text('no such row')], isError: true }, 'no such row'],
    ['as data', { content: [], structuredContent: { code: 7 }, isError: true }, '{"code":7}'],
    [
      'as both',
      { content: [text('no such row')], structuredContent: { code: 7 }, isError: true },
      'no such row\n{"code":7}',
    ],
  ])('%s is a failure that the model reads, nothing lost', async (_, result, read) => {
    const { run, model } = await runWith([returning(result)], once);
    expect(lastRead(model.requests)).toBe(read);
    expect(run.messages.at(-2)).toMatchObject({ role: 'tool', isError: true });
  });
});

it('pictures and sounds of a server stay what they are, and their bytes are in no text', async () => {
  const picture = image(bytes, 'image/png');
  const sound = audio(bytes, 'audio/wav', { annotations: { audience: ['user'] } });
  const { run, model } = await runWith([returning({ content: [sound, text('see'), picture] })], once);
  const [call] = run.messages.flatMap(message =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  expect(lastRead(model.requests)).toMatchObject([text('see'), picture]);
  expect(findArtifact(run.messages, `${call?.id}#0`)).toMatchObject({ type: 'audio', data: bytes });
  const texts = model.requests.flatMap(({ messages }) => messages.map(({ content }) => content));
  expect(JSON.stringify(texts.filter(content => typeof content === 'string'))).not.toContain(bytes);
});

it('a server is one and the same over all calls, turns and runs', async () => {
  let count = 0;
  const far = tool({ name: 'far', description: '', run: () => String(++count) });
  let client: Client | undefined;
  try {
    client = await connect(new Server({ name: 'far', version: '1', tools: [far] }));
    const model = scripted([
      { toolCalls: [{ name: 'far' }] },
      { toolCalls: [{ name: 'far' }] },
      'done',
      ...once,
    ]);
    const agent = new Agent({ model, tools: [toolset(client)] });
    await agent.run('go');
    await agent.run('go');
    const read = model.requests.map(request => request.messages.at(-1)?.content);
    expect(read).toEqual(['go', '1', '2', 'go', '3']);
  } finally {
    await client?.close();
  }
});

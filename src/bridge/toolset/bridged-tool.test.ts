import { describe, expect, it } from 'vitest';
import { plainClient, sent } from '../../../test/fixtures/plain-server.ts';
import { Agent } from '../../agent/agent.ts';
import { isRunError } from '../../agent/errors.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { isTimeoutError } from '../../basics/timeout-error.ts';
import { scripted } from '../../testing/scripted.ts';
import { renderContent } from '../../tools/render-content.ts';
import { toolset } from './toolset.ts';

const listed = { tools: [{ name: 'look', inputSchema: { type: 'object' } }] };
const call = { toolCalls: [{ name: 'look' }] };

/** The message that the model reads about one call, answered by the server with `result`. */
async function observe(result: object) {
  const { client, server } = await plainClient({ 'tools/list': () => listed, 'tools/call': () => result });
  const model = scripted([call, 'done']);
  const { messages } = await new Agent({ model, tools: await toolset(client).tools() }).run('go');
  await client.close();
  return { message: messages.find(({ role }) => role === 'tool'), server };
}

describe('a bridged tool', () => {
  it('sends an empty object when the model gives no arguments', async () => {
    const { server } = await observe({ content: [] });
    expect(sent(server, 'tools/call')[0]?.params).toMatchObject({ name: 'look', arguments: {} });
  });

  it.each([
    ['nothing', []],
    ['a blank text', [{ type: 'text', text: ' \n' }]],
  ])('that fails with %s is named as one that does not say why', async (_what, content) => {
    const { message } = await observe({ content, isError: true });
    expect(message).toMatchObject({
      isError: true,
      content: 'The tool look failed and does not say why.',
    });
  });

  it('does not fail over blocks that lack what their kind needs', async () => {
    const content = [{ type: 'image' }, { type: 'resource' }, { type: 'text' }, { type: 'hologram' }];
    const { message } = await observe({ content });
    expect(message).not.toHaveProperty('isError');
    expect(renderContent(message?.content ?? '')).toContain('hologram');
  });

  it('whose server falls silent ends the run at stage tool with the limit that ran out', async () => {
    const clock = manualClock();
    let arrived: () => void = () => {};
    const asked = new Promise<void>(resolve => {
      arrived = resolve;
    });
    let release: (late: object) => void = () => {};
    const silent = (): Promise<object> => {
      arrived();
      return new Promise(resolve => {
        release = resolve;
      });
    };
    const { client, server } = await plainClient(
      { 'tools/list': () => listed, 'tools/call': silent },
      { clock, timeouts: { idle: 500 } },
    );
    const agent = new Agent({ model: scripted([call]), tools: await toolset(client).tools() });
    const failed = agent.run('go').catch((error: unknown) => error);
    await asked;
    clock.advance(500);
    const error = await failed;
    if (!isRunError(error) || !isTimeoutError(error.cause)) throw error;
    expect(error).toMatchObject({ stage: 'tool', tool: 'look' });
    expect(error.cause).toMatchObject({ limit: 'idle', ms: 500, phase: 'tools/call' });
    release({ content: [] });
    await client.close();
    expect(sent(server, 'notifications/cancelled')).toHaveLength(1);
  });
});

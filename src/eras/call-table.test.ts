/** A call whose handler runs at this moment is found like any other. */
import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { introductions, served } from '../../test/fixtures/served.ts';
import { Server, tool } from '../entries/server.ts';
import type { ToolContext } from '../tools/context.ts';

guardRejections();

function serverOf(run: (ctx: ToolContext) => unknown) {
  const inner = tool({ name: 'inner', description: 'Ends at once.', run: () => 'inner' });
  const outer = tool({ name: 'outer', description: 'Looks.', run: (_args, ctx) => run(ctx) as string });
  return new Server({ name: 's', version: '1', tools: [inner, outer] });
}

describe.each(introductions)('while the handler of a call runs (%s)', how => {
  it('the call is counted', async () => {
    const running: number[] = [];
    const client = served(
      serverOf(() => {
        running.push(client.inlet.running);
        return 'done';
      }),
      how,
    );
    await client.call('outer');
    expect([running, client.inlet.running]).toEqual([[1], 0]);
  });

  it('its id is in use', async () => {
    const server = serverOf(() => {
      client.inlet.receive({ jsonrpc: '2.0', id: client.lastId(), method: 'ping' }, client.exchange);
      return 'done';
    });
    const client = served(server, how);
    expect((await client.call('outer')).result?.content?.[0]?.text).toBe('done');
    expect(client.sent.filter(message => 'error' in message)).toMatchObject([
      { id: null, error: { message: expect.stringMatching(/is in use/) } },
    ]);
  });

  it('it can be cancelled, and has no answer then', async () => {
    const aborted: boolean[] = [];
    const server = serverOf(({ signal }) => {
      client.notify('notifications/cancelled', { requestId: client.lastId() });
      aborted.push(signal.aborted);
      return 'done';
    });
    const client = served(server, how);
    const before = client.sent.length;
    void client.call('outer');
    await turn();
    expect([aborted, client.sent.slice(before), client.inlet.running]).toEqual([[true], [], 0]);
  });

  it('another call can come and end, and both are answered', async () => {
    let inner: Promise<unknown> | undefined;
    const server = serverOf(() => {
      inner = client.call('inner');
      return 'done';
    });
    const client = served(server, how);
    const text = async (answer: ReturnType<typeof client.call>) => (await answer).result?.content?.[0]?.text;
    expect(await text(client.call('outer'))).toBe('done');
    expect(await text(inner as ReturnType<typeof client.call>)).toBe('inner');
    expect(client.inlet.running).toBe(0);
  });

  it('closing the connection waits for it, and aborts it when its time is over', async () => {
    const events: string[] = [];
    const server = serverOf(({ signal }) => {
      signal.addEventListener('abort', () => events.push('aborted'));
      void client.inlet.close(new Error('enough'), 0).then(() => events.push('closed'));
      return new Promise(() => {});
    });
    const client = served(server, how);
    void client.call('outer');
    for (let count = 0; count < 5; count += 1) await turn();
    expect(events).toEqual(['aborted', 'closed']);
  });
});

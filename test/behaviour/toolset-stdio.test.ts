import { expect, it } from 'vitest';
import { Agent } from '../../src/agent/agent.ts';
import { toolset } from '../../src/bridge/toolset/toolset.ts';
import type { ToolsetEvent } from '../../src/bridge/toolset/toolset-events.ts';
import { stdio } from '../../src/channels/stdio-client.ts';
import { connect } from '../../src/client/client.ts';
import { scripted } from '../../src/testing/scripted.ts';
import { bundled, children } from '../fixtures/bundled.ts';
import { processOf, remaining } from '../fixtures/stdio/servers.ts';

it('a toolset whose server process is killed goes on with a new one, and leaves none behind', async () => {
  const { program, remove } = await bundled('our-server');
  const events: ToolsetEvent[] = [];
  let failed: () => void = () => {};
  const hasFailed = new Promise<void>(resolve => {
    failed = resolve;
  });
  const seen: number[] = [];
  const set = toolset(
    {
      ours: async ({ signal }) => {
        const before = new Set(children());
        const client = await connect(stdio({ command: process.execPath, args: [program] }), { signal });
        seen.push(...children().filter(pid => !before.has(pid)));
        return client;
      },
      missing: () => connect(stdio({ command: 'no-such-program-here' })),
    },
    {
      onEvent: event => {
        events.push(event);
        if (event.type === 'server' && event.server.key === 'ours' && event.server.state === 'failed')
          failed();
      },
    },
  );
  const add = { toolCalls: [{ name: 'add', arguments: { a: 2, b: 3 } }] };
  const run = async (): Promise<string> => {
    const model = scripted([add, ({ messages }) => String(messages.at(-1)?.content)]);
    return (await new Agent({ model, tools: set }).run('add')).output;
  };
  expect(await run()).toBe('{"sum":5}');
  expect(set.servers()).toMatchObject([
    { key: 'ours', name: 'our-server', state: 'ready' },
    { key: 'missing', state: 'failed', error: { reason: 'command-not-found' } },
  ]);
  const processes = seen.map(processOf);
  process.kill(Number(seen[0]), 'SIGKILL');
  await hasFailed;
  expect(await run()).toBe('{"sum":5}');
  processes.push(...seen.slice(1).map(processOf));
  expect(seen).toHaveLength(2);
  await set.close();
  expect(await remaining(processes)).toEqual([]);
  remove();
});

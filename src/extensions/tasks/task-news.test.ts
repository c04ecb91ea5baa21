import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import type { FakeCall } from '../../../test/fixtures/fake-acceptor.ts';
import { plainClient, sent } from '../../../test/fixtures/plain-server.ts';
import type { Channel, SendOptions } from '../../channels/channel.ts';
import { memoryChannel } from '../../channels/memory.ts';
import { connect } from '../../client/client.ts';
import { EraMemory } from '../../eras/index.ts';
import type { Message } from '../../rpc/message.ts';
import { drive, patient, scriptedTask } from './fixtures/scripted-tasks.ts';
import { taskServer } from './fixtures/task-server.ts';
import { tasks } from './tasks.ts';

guardRejections();

const done = { status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };

async function turns(count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) await turn();
}

/** A server that lets its client listen, and tells it what the test says. */
function teller(): {
  readonly methods: { readonly 'subscriptions/listen': (call: FakeCall) => Promise<never> };
  readonly asked: unknown[];
  tell(params: object, method?: string): void;
} {
  const asked: unknown[] = [];
  let tell: (params: object, method: string) => void = () => {};
  return {
    asked,
    tell: (params, method = 'notifications/tasks') => tell(params, method),
    methods: {
      'subscriptions/listen': ({ params, exchange }) => {
        asked.push(params['notifications']);
        const id = 3 + asked.length;
        tell = (told, method) => {
          const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
          exchange.send({ jsonrpc: '2.0', method, params: { ...told, _meta } });
        };
        return new Promise(() => {});
      },
    },
  };
}

describe('a client that listens for news of a task', () => {
  it.each([
    ['one pipe', false],
    ['reply streams', true],
  ])('learns of its end before the next look is due, over %s', async (_shape, replyStreams) => {
    const office = taskServer({ pollInterval: 60_000 });
    await using client = await connect(memoryChannel(office.server, { replyStreams }), {
      clock: office.clock,
      eraMemory: new EraMemory(),
      timeouts: patient,
      extensions: [tasks({ listen: true })],
    });
    const call = client.call('slow');
    await turns(4);
    office.clock.advance(60_000);
    await turns(4);
    const before = office.clock.now();
    office.open();
    expect((await call).content).toEqual([{ type: 'text', text: 'done' }]);
    expect(office.clock.now()).toBe(before);
    const handle = await tasks.start(client, 'failing_job', {}, { listen: true });
    expect((await drive(office.clock, handle.result(), 1000)).isError).toBe(true);
  });

  it('subscribes only to a task that outlasts the first look, and leaves when it is over', async () => {
    const { methods, asked } = teller();
    const quick = await scriptedTask([done], { tasks: { listen: true }, methods });
    await drive(quick.clock, quick.client.call('job'));
    expect(asked).toEqual([]);
    const slow = await scriptedTask([{}, {}, done], { tasks: { listen: true }, methods });
    await drive(slow.clock, slow.client.call('job'));
    await turn();
    expect(asked).toEqual([{ taskIds: ['t1'] }]);
    expect(slow.sent('notifications/cancelled')).toHaveLength(1);
  });

  it('looks for itself whatever it is told, and only when the status is another', async () => {
    const { methods, tell } = teller();
    const scripted = await scriptedTask([{}, { statusMessage: 'still' }, done], {
      tasks: { listen: true },
      methods,
    });
    const { client, clock } = scripted;
    const call = client.call('job');
    await turn();
    clock.advance(200);
    await turns(3);
    expect(scripted.sent('tasks/get')).toHaveLength(1);
    tell({ taskId: 't1', status: 'working', statusMessage: 'busy' });
    tell({ taskId: 'another', status: 'completed' });
    tell({ taskId: 't1', status: 'completed' }, 'notifications/other');
    await turns(3);
    expect(scripted.sent('tasks/get')).toHaveLength(1);
    tell({ taskId: 't1', status: 'completed', result: { content: [{ type: 'text', text: 'forged' }] } });
    await turns(3);
    expect(scripted.sent('tasks/get')).toHaveLength(2);
    tell({ taskId: 't1', status: 'completed' });
    expect((await call).content).toEqual(done.result.content);
  });

  it('goes on looking where there is nothing to listen to', async () => {
    const { client, clock } = await scriptedTask([{}, {}, done], { tasks: { listen: true } });
    expect((await drive(clock, client.call('job'))).isError).toBe(false);
  });
});

describe('a client with tasks', () => {
  it('does not speak of them in a revision that has none', async () => {
    const { client, server } = await plainClient({}, { extensions: [tasks(), { id: 'x/plain' }] });
    await client.close();
    const [initialize] = sent(server, 'initialize');
    expect(initialize?.params?.['capabilities']).toEqual({ extensions: { 'x/plain': {} } });
  });
});

describe('requests about a task', () => {
  it('name it in a header where requests have any', async () => {
    const office = taskServer();
    const inner = memoryChannel(office.server, { replyStreams: true });
    const requests: [unknown, unknown][] = [];
    const channel: Channel = {
      label: 'with headers',
      async open(receiver, options) {
        const connection = await inner.open(receiver, options);
        return {
          replyStreams: true,
          send(message: Message, own?: SendOptions) {
            if ('method' in message) requests.push([message.method, own?.headers?.['mcp-name']]);
            connection.send(message, own);
          },
          abandon: of => connection.abandon(of),
          close: () => connection.close(),
        };
      },
    };
    const extensions = [tasks()];
    await using client = await connect(channel, {
      clock: office.clock,
      eraMemory: new EraMemory(),
      extensions,
    });
    const { id, cancel, refresh } = await tasks.start(client, 'slow').then(handle => ({
      id: handle.id,
      refresh: () => handle.refresh(),
      cancel: () => handle.cancel(),
    }));
    await refresh();
    await cancel();
    const about = requests.filter(([method]) => String(method).startsWith('tasks/'));
    expect(about).toEqual([
      ['tasks/get', id],
      ['tasks/cancel', id],
    ]);
  });
});

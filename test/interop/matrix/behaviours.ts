/** The behaviours of the matrix, one list for every pair of client and server: a row of the table each. */
import assert from 'node:assert/strict';
import type { CallOutcome, Driver } from './driver.ts';
import type { Relay } from './relay.ts';

/** What a behaviour has at hand: a connected client, and over HTTP what lies between it and the server. */
export interface Stage {
  readonly driver: Driver;
  readonly relay: Relay | undefined;
  /** Another connection to the same server, in the place of `driver`. */
  reconnect(): Promise<Driver>;
}

/**
 * What must be there for a behaviour to exist at all: a reply that has room for more than the result, or a stream
 * beside it; a connection that the server knows from call to call, or an era that does without.
 */
export type Need =
  | 'room-before-the-result'
  | 'room-beside-the-result'
  | 'connection'
  | 'a-way-to-ask'
  | 'session'
  | 'resumable-reply';

export interface Behaviour {
  readonly id: string;
  readonly title: string;
  readonly needs?: Need;
  run(stage: Stage): Promise<void>;
}

const textOf = (outcome: CallOutcome): string => outcome.content.map(({ text }) => text ?? '').join('|');
const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);

const counted = [1, 2, 3].map(progress => ({ progress, total: 3, message: `step ${progress}` }));

export const behaviours: readonly Behaviour[] = [
  {
    id: 'list',
    title: 'list tools',
    async run({ driver }) {
      const tools = await driver.tools();
      assert.deepEqual(names(tools).slice(0, 3), ['add', 'fail', 'count']);
      const { inputSchema } = tools[0] as { inputSchema: { readonly required?: readonly string[] } };
      assert.deepEqual(inputSchema.required, ['a', 'b']);
    },
  },
  {
    id: 'call',
    title: 'call a tool',
    async run({ driver }) {
      const outcome = await driver.call('add', { a: 20, b: 22 });
      assert.ok(!outcome.isError);
      assert.deepEqual(outcome.structuredContent, { sum: 42 });
      assert.deepEqual(JSON.parse(textOf(outcome)), { sum: 42 });
    },
  },
  {
    id: 'tool-error',
    title: 'a tool that fails',
    async run({ driver }) {
      const failed = await driver.call('fail');
      assert.equal(failed.isError, true);
      assert.match(textOf(failed), /there is nothing to do/);
    },
  },
  {
    id: 'protocol-error',
    title: 'an error of the protocol',
    async run({ driver }) {
      await assert.rejects(driver.prompt('nobody', {}), { code: -32602 });
    },
  },
  {
    id: 'progress',
    title: 'progress of a call under way',
    needs: 'room-before-the-result',
    async run({ driver }) {
      const heard: unknown[] = [];
      const others: Promise<unknown>[] = [];
      const onProgress = (report: object): void => {
        if (heard.push({ ...report }) === 3) others.push(driver.call('go'));
      };
      assert.equal(textOf(await driver.call('count', { waits: true }, { onProgress })), 'counted');
      await Promise.all(others);
      assert.deepEqual(heard, counted);
    },
  },
  {
    id: 'progress-at-once',
    title: 'progress with the result behind it',
    needs: 'room-before-the-result',
    async run({ driver }) {
      const heard: unknown[] = [];
      const outcome = await driver.call('count', {}, { onProgress: report => heard.push({ ...report }) });
      assert.equal(textOf(outcome), 'counted');
      assert.deepEqual(heard, counted);
    },
  },
  {
    id: 'cancel',
    title: 'cancel',
    needs: 'connection',
    async run({ driver }) {
      const controller = new AbortController();
      const call = driver.call('wait', {}, { signal: controller.signal });
      const rejected = assert.rejects(call);
      const isWaiting = async (): Promise<boolean> => textOf(await driver.call('waiting')) === '1';
      while (!(await isWaiting()));
      controller.abort('enough');
      await rejected;
      // The server hears of it after the client has let go.
      while (await isWaiting());
    },
  },
  {
    id: 'elicit',
    title: 'elicitation',
    needs: 'a-way-to-ask',
    async run({ driver }) {
      assert.equal(textOf(await driver.call('ask')), 'accept Ada');
    },
  },
  {
    id: 'sample',
    title: 'sampling',
    needs: 'a-way-to-ask',
    async run({ driver }) {
      assert.equal(textOf(await driver.call('think')), 'teapot: oolong');
    },
  },
  {
    id: 'roots',
    title: 'roots',
    needs: 'a-way-to-ask',
    async run({ driver }) {
      assert.equal(textOf(await driver.call('folders')), 'file:///tea');
    },
  },
  {
    id: 'resources',
    title: 'resources',
    async run({ driver }) {
      assert.ok((await driver.resources()).some(({ uri }) => uri === 'matrix://note'));
      assert.ok(
        (await driver.templates()).some(({ uriTemplate }) => uriTemplate === 'matrix://notes/{name}'),
      );
      assert.equal(await driver.read('matrix://note'), 'a note');
      assert.equal(await driver.read('matrix://notes/red'), 'note red');
    },
  },
  {
    id: 'subscribe',
    title: 'a subscription',
    needs: 'connection',
    async run({ driver }) {
      const watch = await driver.watch({ uris: ['matrix://note'] });
      const change = watch.next();
      await repeatUntil(change, () => driver.call('touch', { uri: 'matrix://note' }));
      assert.deepEqual(await change, { kind: 'resource', uri: 'matrix://note' });
      await watch.stop();
    },
  },
  {
    id: 'prompts',
    title: 'prompts',
    async run({ driver }) {
      assert.deepEqual(names(await driver.prompts()), ['greet']);
      assert.equal(await driver.prompt('greet', { who: 'Ada' }), 'Say hello to Ada.');
    },
  },
  {
    id: 'complete',
    title: 'completion',
    async run({ driver }) {
      assert.deepEqual(await driver.complete('greet', { name: 'who', value: 'A' }), ['Ada', 'Alan']);
    },
  },
  {
    id: 'log',
    title: 'log level',
    needs: 'room-beside-the-result',
    async run({ driver }) {
      await driver.call('speak');
      const { level, data } = await driver.nextLog();
      assert.deepEqual({ level, data }, { level: 'error', data: 'loud' });
    },
  },
  {
    id: 'list-changed',
    title: 'list changed',
    needs: 'connection',
    async run({ driver }) {
      const watch = await driver.watch({ tools: true });
      const change = watch.next();
      await repeatUntil(change, () => driver.call('change'));
      assert.equal((await change).kind, 'tools');
      assert.ok(names(await driver.tools()).includes('late'));
      await watch.stop();
    },
  },
  {
    id: 'resume',
    title: 'resume',
    needs: 'resumable-reply',
    async run({ driver, relay }) {
      assert.equal(textOf(await driver.call('drop')), 'after the stream');
      const resumed = relay?.exchanges.some(
        ({ method, headers, reply }) =>
          method === 'GET' && headers['last-event-id'] !== undefined && reply.includes('after the stream'),
      );
      assert.ok(resumed, 'the answer came without the stream being taken up again');
    },
  },
  {
    id: 'session-404',
    title: 'a session that is gone',
    needs: 'session',
    async run({ driver, relay, reconnect }) {
      assert.ok(await relay?.endSession(), 'there is no session');
      if (driver.renewsSessions) {
        assert.equal(textOf(await driver.call('add', { a: 1, b: 2 })), '{"sum":3}');
      } else {
        await assert.rejects(driver.call('add', { a: 1, b: 2 }));
        assert.equal(textOf(await (await reconnect()).call('add', { a: 1, b: 2 })), '{"sum":3}');
      }
      const told = relay?.exchanges.some(({ method, status }) => method === 'POST' && status === 404);
      assert.ok(told, 'nobody was told 404');
    },
  },
];

/** Does something again and again until what it causes is there; each time is a round trip of its own. */
async function repeatUntil(event: Promise<unknown>, act: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  event.then(over, over);
  while (!isOver) await act();
}

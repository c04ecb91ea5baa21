import { afterEach, describe, expect, it } from 'vitest';
import { type Client, connect } from '../../client/client.ts';
import { latestOf } from '../../eras/versions.ts';
import { ModelError } from '../../models/model-error.ts';
import { scripted } from '../../testing/scripted.ts';
import { call, closeServed, counted, inMemory, say, serve, serverOf } from './fixtures/served.ts';

const yes = { action: 'accept', content: { approve: true } } as const;

afterEach(closeServed);

const library = {
  mcpServers: { files: inMemory, unused: inMemory },
  tools: { files: { allow: ['read_file', 'write_file'], rules: { write_file: { approval: 'ask' } } } },
  patterns: { react_loop: true },
  agents: {
    librarian: { description: 'Finds books', instructions: 'Be brief.', tools: ['files/read_*'] },
    writer: { description: 'Writes books', maxTurns: 3 },
  },
};

describe('what a configuration serves', () => {
  it('is its patterns and its agents, and nothing is connected before a call needs it', async () => {
    const connected: string[] = [];
    const files = serverOf(counted('read_file'), counted('write_file'));
    const setup = await serve(library, {}, scripted([say('a'), say('b')]), {
      connect: (name, _entry, { info }) => {
        connected.push(name);
        return connect(files, { info });
      },
    });
    expect(setup.served.tools.map(({ name }) => name)).toEqual(['react_loop', 'librarian', 'writer']);
    expect(setup.served.tools[0]?.description).toContain('those of files that it allows');
    const caller = await setup.caller();
    await caller.tools().all();
    expect(connected).toEqual([]);
    await caller.call('react_loop', { prompt: 'go' });
    await caller.call('librarian', { prompt: 'go' });
    expect(connected).toEqual(['files']);
  });

  it('gives each agent its part of what is allowed, and its instructions', async () => {
    const model = scripted([say('a'), say('b')]);
    const setup = await serve(
      library,
      { files: serverOf(counted('read_file'), counted('write_file'), counted('delete_file')) },
      model,
    );
    const caller = await setup.caller();
    const result = await caller.call('librarian', { prompt: 'find' });
    await caller.call('writer', { prompt: 'write' });
    expect(model.requests.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
      ['read_file'],
      ['read_file', 'write_file'],
    ]);
    expect(model.requests[0]?.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(result.structuredContent).toMatchObject({ answer: 'a', turns: 1, usage: { calls: 1 } });
  });

  it.each([latestOf('handshake'), latestOf('stateless')])(
    'asks the caller where a rule says so, and goes on: loop and agent in revision %s',
    async protocol => {
      for (const name of ['react_loop', 'writer']) {
        const write = counted('write_file');
        const model = scripted([
          call('write_file', { text: 'x' }),
          call('write_file', { text: 'y' }),
          say('done'),
        ]);
        const setup = await serve(library, { files: serverOf(counted('read_file'), write) }, model);
        const asked: string[] = [];
        const caller = await setup.caller({
          protocol,
          onElicit: ({ message }) => {
            asked.push(message);
            return yes;
          },
        });
        const result = await caller.call(name, { prompt: 'write' });
        expect(result.structuredContent).toMatchObject({ answer: 'done', usage: { calls: 3 } });
        expect(write.runs).toEqual(['x', 'y']);
        expect(asked[0]).toBe(
          `"${name}" wants to run the tool "write_file" with these arguments: {"text":"x"}`,
        );
        expect(model.requests).toHaveLength(3);
      }
    },
  );

  it('gives data where an agent has a schema of its output', async () => {
    const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const setup = await serve(
      { agents: { counter: { description: 'Counts', output } } },
      {},
      scripted(['{"n":4}']),
    );
    const result = await (await setup.caller()).call('counter', { prompt: 'how many?' });
    expect(result.structuredContent).toEqual({ n: 4 });
  });

  it('makes each model once, of the entry that is named, and the usual one where none is', async () => {
    const made: unknown[] = [];
    const config = {
      models: { default: { model: 'big' }, small: { model: 'tiny', baseUrl: 'http://localhost' } },
      patterns: { consensus: { model: 'small' }, refine: true },
      agents: { helper: { description: 'Helps' } },
    };
    const setup = await serve(config, {}, scripted([]), {
      model: entry => {
        made.push(entry);
        return scripted([say('1')], { cycle: true });
      },
    });
    const caller = await setup.caller();
    expect(made).toEqual([]);
    await caller.call('consensus', { prompt: 'p', n: 1 });
    await caller.call('refine', { prompt: 'p', max_iterations: 0 });
    await caller.call('helper', { prompt: 'p' });
    await caller.call('consensus', { prompt: 'p', n: 1 });
    expect(made).toEqual([{ model: 'tiny', baseUrl: 'http://localhost' }, { model: 'big' }]);
  });

  it('says what is missing when no model can be made, and tries again at the next call', async () => {
    let tries = 0;
    const setup = await serve({ agents: { helper: { description: 'Helps' } } }, {}, scripted([]), {
      model: () => {
        tries += 1;
        if (tries > 1) return scripted(['now']);
        throw new ModelError('no model is configured: TENON_MODEL is not set', {
          kind: 'configuration',
          provider: 'environment',
        });
      },
    });
    const caller = await setup.caller();
    const first = await caller.call('helper', { prompt: 'p' });
    expect(first).toMatchObject({ isError: true, structuredContent: { kind: 'configuration' } });
    expect((await caller.call('helper', { prompt: 'p' })).structuredContent).toMatchObject({ answer: 'now' });
  });

  it('goes on without a server that cannot be reached, as long as there is another', async () => {
    const model = scripted([say('a')]);
    const config = {
      mcpServers: { files: inMemory, gone: inMemory },
      tools: { files: { allow: ['read_file'] }, gone: { allow: ['x'] } },
      patterns: { react_loop: true },
    };
    const setup = await serve(config, {}, model, {
      connect: (name, _entry, { info }) =>
        name === 'gone'
          ? Promise.reject(new Error('no such program'))
          : connect(serverOf(counted('read_file')), { info }),
    });
    const result = await (await setup.caller()).call('react_loop', { prompt: 'go' });
    expect(result.isError).toBe(false);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['files__read_file']);
    expect(setup.events).toContainEqual(
      expect.objectContaining({
        type: 'server',
        server: expect.objectContaining({ key: 'gone', state: 'failed' }),
      }),
    );
  });

  it('keeps a tool within the time of its rule', async () => {
    const never = counted('read_file', () => new Promise(() => {}) as never);
    const model = scripted([call('read_file'), say('too slow')]);
    const config = {
      mcpServers: { files: inMemory },
      tools: { files: { allow: ['read_file'], timeout: 20 } },
      patterns: { react_loop: true },
    };
    const setup = await serve(config, { files: serverOf(never) }, model);
    const result = await (await setup.caller()).call('react_loop', { prompt: 'go' });
    expect(result.structuredContent).toMatchObject({ answer: 'too slow' });
    expect(JSON.stringify(model.requests[1])).toContain('20 ms');
  });

  it('closes every connection that it made, and connects anew to a server that was lost', async () => {
    const clients: Client[] = [];
    const setup = await serve(library, {}, scripted([say('a')], { cycle: true }), {
      connect: async (_name, _entry, { info }) => {
        const client = await connect(serverOf(counted('read_file'), counted('write_file')), { info });
        clients.push(client);
        return client;
      },
    });
    const caller = await setup.caller();
    await caller.call('react_loop', { prompt: 'go' });
    await clients[0]?.close();
    await caller.call('writer', { prompt: 'go' });
    expect(clients).toHaveLength(2);
    await setup.served.close();
    expect(clients.map(client => client.access().gone.aborted)).toEqual([true, true]);
    const after = await caller.call('react_loop', { prompt: 'go' });
    expect(after).toMatchObject({ isError: true, structuredContent: { kind: 'unreachable' } });
  });

  it('connects once when many calls come at once, and leaves nobody waiting who went away', async () => {
    let connects = 0;
    let release = (): void => {};
    let begin = (): void => {};
    const begun = new Promise<void>(resolve => {
      begin = resolve;
    });
    const open = new Promise<void>(resolve => {
      release = resolve;
    });
    const setup = await serve(library, {}, scripted([say('a')], { cycle: true }), {
      connect: async (_name, _entry, { info }) => {
        connects += 1;
        begin();
        await open;
        return connect(serverOf(counted('read_file'), counted('write_file')), { info });
      },
    });
    const caller = await setup.caller();
    const leaving = new AbortController();
    const left = caller.call('librarian', { prompt: 'go' }, { signal: leaving.signal });
    const stays = ['react_loop', 'writer', 'librarian'].map(name => caller.call(name, { prompt: 'go' }));
    await begun;
    leaving.abort(new Error('changed my mind'));
    await expect(left).rejects.toThrow('changed my mind');
    release();
    const results = await Promise.all(stays);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(connects).toBe(1);
  });
});

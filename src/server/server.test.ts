import { describe, expect, it } from 'vitest';
import { type Introduction, introductions, served, textOf } from '../../test/fixtures/served.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import { prompt } from './prompt.ts';
import { resource } from './resource.ts';
import { Server } from './server.ts';

const simple = (name: string, said = name): AnyTool => tool({ name, description: name, run: () => said });
const serverOf = (...tools: AnyTool[]): Server => new Server({ name: 's', version: '1', tools });

describe('what a server says of itself', () => {
  it('is its name, version, instructions and what it can do', async () => {
    const server = new Server({
      name: 'shop',
      version: '2.0.0',
      title: 'The shop',
      description: 'Sells',
      websiteUrl: 'https://example.com',
      icons: [{ src: 'data:,' }],
      instructions: 'Buy.',
      extensions: [{ id: 'a.b/c', settings: { deep: true } }],
    });
    const { sent } = served(server);
    expect(sent[0]).toMatchObject({
      result: {
        serverInfo: {
          name: 'shop',
          version: '2.0.0',
          title: 'The shop',
          description: 'Sells',
          websiteUrl: 'https://example.com',
          icons: [{ src: 'data:,' }],
        },
        instructions: 'Buy.',
        capabilities: {
          tools: { listChanged: true },
          logging: {},
          extensions: { 'a.b/c': { deep: true } },
        },
      },
    });
  });

  it('has no member that was not given', () => {
    const [answer] = served(serverOf()).sent as { result?: object }[];
    expect(answer?.result).not.toHaveProperty('instructions');
    expect(answer?.result).toMatchObject({ serverInfo: { name: 's', version: '1' } });
  });
});

describe.each(introductions)('a server (%s)', how => {
  it('answers a method that it does not have by naming it', async () => {
    const { error } = await served(serverOf(), how).ask('resources/list');
    expect(error).toEqual({ code: -32601, message: 'this server has no method resources/list' });
  });

  it('answers the methods that its extensions add', async () => {
    const server = new Server({
      name: 's',
      version: '1',
      extensions: [{ id: 'a.b/c', methods: { 'c/do': call => ({ value: { did: call.params['what'] } }) } }],
    });
    expect((await served(server, how).ask('c/do', { what: 'it' })).result).toMatchObject({ did: 'it' });
  });

  it('says which tool was meant when one is not there, and shows no more than a part of a long name', async () => {
    const client = served(serverOf(simple('search_files')), how);
    expect((await client.call('searchFiles')).error).toEqual({
      code: -32602,
      message: 'unknown tool: "searchFiles"; did you mean "search_files"?',
    });
    expect((await client.call('x'.repeat(5000))).error?.message.length).toBeLessThan(120);
  });

  it('lets a call end that runs while its tool is taken away, and refuses the next', async () => {
    let finish = (_said: string): void => {};
    const slow = tool({
      name: 'slow',
      description: '',
      run: () =>
        new Promise<string>(resolve => {
          finish = resolve;
        }),
    });
    const server = serverOf(slow);
    const client = served(server, how);
    const running = client.call('slow');
    server.update({ tools: [simple('new')] });
    expect((await client.call('slow')).error).toMatchObject({ code: -32602 });
    expect(textOf(await client.call('new'))).toBe('new');
    finish('done after all');
    expect(textOf(await running)).toBe('done after all');
  });

  it('keeps its tools when an update cannot be used', async () => {
    const server = serverOf(simple('a'));
    const client = served(server, how);
    const before = client.sent.length;
    expect(() => server.update({ tools: [simple('b'), simple('b')] })).toThrow('is given twice');
    expect(client.sent.slice(before)).toEqual([]);
    expect(textOf(await client.call('a'))).toBe('a');
  });

  it('runs another definition of the same name from the next call on', async () => {
    const server = serverOf(simple('a', 'old'));
    const client = served(server, how);
    expect(textOf(await client.call('a'))).toBe('old');
    server.update({ tools: [simple('a', 'new')] });
    expect(textOf(await client.call('a'))).toBe('new');
  });

  it('serves any number of clients at once and keeps them apart', async () => {
    const who = tool({
      name: 'who',
      description: '',
      run: (_args, { client, principal }) => `${client.info?.name} as ${principal}`,
    });
    const server = serverOf(who);
    const clients = ['ann', 'bob'].map(principal => served(server, how, { principal }));
    const answers = await Promise.all(clients.map(client => client.call('who')));
    expect(answers.map(textOf)).toEqual(['by hand as ann', 'by hand as bob']);
  });
});

describe('a change of tools', () => {
  it('is told to each client that introduced itself, once per update', () => {
    const server = serverOf(simple('a'));
    const [one, other] = [served(server), served(server)];
    server.update({ tools: [simple('b')] });
    server.update({ tools: [simple('c')] });
    for (const { sent } of [one, other]) {
      expect(sent.slice(1)).toEqual(
        [1, 2].map(() => ({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })),
      );
    }
  });

  it.each<Introduction>(['handshake', 'stateless'])(
    'is no longer told to a client that left (%s)',
    async how => {
      const server = serverOf(simple('a'));
      const client = served(server, how);
      await client.inlet.close(new Error('left'));
      const before = client.sent.length;
      server.update({ tools: [] });
      expect(client.sent.slice(before)).toEqual([]);
    },
  );
});

describe('the definitions of a server', () => {
  const facts = { name: 's', version: '1' };

  it('are made by the functions that bring what offers them', () => {
    const bare = { name: 'n', uri: 'a:b', description: '', read: () => '', get: () => '' };
    expect(() => new Server({ ...facts, resources: [bare as never] })).toThrow(
      'Server: resources[0] must be made with resource(), got an object with "name", "uri"',
    );
    const made = prompt({ name: 'p', description: '', get: () => '' });
    expect(() => new Server({ ...facts, prompts: [made, bare as never] })).toThrow(
      'Server: prompts[1] must be made with prompt(), got',
    );
  });

  it('may be copies with something changed', async () => {
    const made = resource({ name: 'one', uri: 'a:1', read: () => 'text' });
    const server = new Server({ ...facts, resources: [made, { ...made, uri: 'a:2' }] });
    const { result } = await served(server).ask('resources/read', { uri: 'a:2' });
    expect(result).toMatchObject({ contents: [{ uri: 'a:2', text: 'text' }] });
  });

  it('may be none yet: then lists are empty, and nothing is found by name', async () => {
    const { ask } = served(new Server({ ...facts, resources: [], prompts: [] }));
    expect((await ask('resources/list')).result).toEqual({ resources: [] });
    expect((await ask('resources/templates/list')).result).toEqual({ resourceTemplates: [] });
    expect((await ask('prompts/list')).result).toEqual({ prompts: [] });
    expect((await ask('resources/read', { uri: 'a:b' })).error?.message).toBe(
      'there is no resource at "a:b"',
    );
    expect((await ask('prompts/get', { name: 'p' })).error?.message).toBe('unknown prompt: "p"');
    expect((await ask('prompts/get', {})).error?.message).toBe(
      'name must be the name of a prompt, got nothing',
    );
  });
});

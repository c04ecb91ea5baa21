import { describe, expect, it } from 'vitest';
import { introductions, served } from '../../test/fixtures/served.ts';
import { tool } from '../tools/tool.ts';
import { prompt } from './prompt.ts';
import { resource } from './resource.ts';
import { Server } from './server.ts';
import type { ServerOptions } from './server-options.ts';

const one = tool({ name: 'one', description: '', run: () => '' });
const ask = prompt({ name: 'ask', description: '', get: () => '' });
const note = resource({ uri: 'a:1', name: 'n', read: () => '' });
const completing = resource({ template: 'a:{b}', name: 'n', complete: { b: ['c'] }, read: () => '' });
const serverOf = (options: Partial<ServerOptions> = {}): Server =>
  new Server({ name: 's', version: '1', ...options });

/** The capabilities that a server has for the next client. */
async function capabilitiesOf(server: Server): Promise<Record<string, unknown>> {
  const client = served(server, 'handshake');
  const { result } = await client.ask('initialize', {
    clientInfo: { name: 'by hand', version: '1' },
    capabilities: {},
  });
  return result?.['capabilities'] as Record<string, unknown>;
}

const tools = { listChanged: true };
const resources = { subscribe: true, listChanged: true };
const prompts = { listChanged: true };

describe('a server promises', () => {
  it.each<[string, Partial<ServerOptions>, object]>([
    ['tools, when it has nothing else', {}, { tools }],
    ['tools, also when there are none yet', { tools: [] }, { tools }],
    ['resources alone', { resources: [note] }, { resources }],
    ['prompts alone', { prompts: [] }, { prompts }],
    ['all of them', { tools: [one], resources: [note], prompts: [ask] }, { tools, resources, prompts }],
    ['completion, when something completes', { resources: [completing] }, { resources, completions: {} }],
  ])('%s', async (_what, options, expected) => {
    expect(await capabilitiesOf(serverOf(options))).toEqual({ logging: {}, ...expected });
  });

  it('what it was given later to those who come later', async () => {
    const server = serverOf({ tools: [one] });
    server.update({ resources: [completing], prompts: [ask] });
    expect(await capabilitiesOf(server)).toEqual({ logging: {}, tools, resources, prompts, completions: {} });
    server.update({ resources: [] });
    expect(await capabilitiesOf(server)).not.toHaveProperty('completions');
  });
});

describe.each(introductions)('an update (%s)', how => {
  it('replaces the kinds that it names and no others', async () => {
    const server = serverOf({ tools: [one], resources: [note], prompts: [ask] });
    const client = served(server, how);
    server.update({ prompts: [] });
    expect((await client.ask('prompts/list')).result).toMatchObject({ prompts: [] });
    expect((await client.ask('tools/list')).result?.tools).toHaveLength(1);
    expect((await client.ask('resources/list')).result).toMatchObject({ resources: [{ uri: 'a:1' }] });
  });

  it('that cannot be made changes nothing and tells nobody', async () => {
    const server = serverOf({ tools: [one], prompts: [ask] });
    const client = served(server, how);
    await client.ask('tools/list');
    const before = client.sent.length;
    expect(() => server.update({ tools: [], prompts: [ask, ask] })).toThrow('given twice');
    expect(client.sent).toHaveLength(before);
    expect((await client.ask('tools/list')).result?.tools).toHaveLength(1);
  });

  it('makes cursors of the lists before it useless', async () => {
    const server = serverOf({
      resources: [note, resource({ uri: 'a:2', name: 'n', read: () => '' })],
      pageSize: 1,
    });
    const client = served(server, how);
    const { nextCursor: cursor } = (await client.ask('resources/list')).result ?? {};
    expect(cursor).toBeTypeOf('string');
    server.update({ prompts: [] });
    expect((await client.ask('resources/list', { cursor })).result).toBeDefined();
    server.update({ resources: [note, completing] });
    expect((await client.ask('resources/list', { cursor })).error?.code).toBe(-32602);
  });
});

it('each change is told of by its own notification to a client that was introduced once', async () => {
  const server = serverOf({ tools: [one], resources: [note], prompts: [ask] });
  const client = served(server, 'handshake');
  await client.ask('tools/list');
  const before = client.sent.length;
  server.update({ tools: [], resources: [], prompts: [] });
  server.changed('a:1');
  const told = client.sent.slice(before).map(message => ('method' in message ? message.method : message));
  expect(told).toEqual(['tools', 'prompts', 'resources'].map(kind => `notifications/${kind}/list_changed`));
});

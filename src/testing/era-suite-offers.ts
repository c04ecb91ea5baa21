/** What users may rely on when they read resources, write out prompts, complete arguments and watch all of them. */
import type { Client } from '../client/client.ts';
import { isResourceNotFound } from '../eras/index.ts';
import type { Change } from '../protocol/change.ts';
import { codes, isProtocolError } from '../rpc/protocol-error.ts';
import { check, contains, equal, rejection, within } from './assert.ts';
import { type EraKit, say } from './era-suite.ts';
import type { Sentences } from './test-function.ts';

/** Calls a tool until the change that it makes is told: where it is watched by a request, that may take a while to arrive. */
async function untilTold(
  client: Client,
  changes: AsyncIterator<Change>,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<Change> {
  let over = false;
  const next = within(changes.next(), `the change that ${tool} makes`).finally(() => {
    over = true;
  });
  while (!over) {
    await say(client, tool, args);
    await Promise.race([next, say(client, 'echo', { value: 'x' })]);
  }
  return (await next).value as Change;
}

export const offerSentences: Sentences<EraKit> = {
  async 'resources are listed with what was said of them, and their families apart'({ connect, lacks }) {
    const client = await connect();
    const listed = await within(client.resources().all(), 'the list');
    const uris = ['suite://readme', 'suite://bytes', 'suite://parts', 'suite://secret'];
    equal(
      listed.map(({ uri }) => uri),
      uris,
      'the URIs',
    );
    const [readme] = listed;
    equal(readme?.mimeType, 'text/markdown', 'the media type');
    equal(readme?.annotations, { audience: ['user'], priority: 1 }, 'the annotations');
    equal(readme?.title, lacks('structured-content') ? undefined : 'Read me', 'the title');
    const families = await within(client.resourceTemplates().all(), 'the families');
    equal(families, [{ uriTemplate: 'suite://notes/{folder}/{+path}', name: 'notes' }], 'the families');
  },

  async 'a resource is read as text, as bytes, in parts, and by the template of its family'({ connect }) {
    const client = await connect();
    const read = async (uri: string): Promise<unknown> =>
      (await within(client.read(uri), `reading ${uri}`)).contents;
    const readme = { uri: 'suite://readme', mimeType: 'text/markdown', text: '# Suite' };
    equal(await read('suite://readme'), [readme], 'the text');
    const bytes = { uri: 'suite://bytes', mimeType: 'application/octet-stream', blob: 'AAH/' };
    equal(await read('suite://bytes'), [bytes], 'the bytes');
    const one = { uri: 'suite://parts', mimeType: 'text/plain', text: 'one' };
    const two = { uri: 'suite://parts/2', mimeType: 'image/png', blob: 'AAAA' };
    equal(await read('suite://parts'), [one, two], 'the parts');
    const uri = 'suite://notes/my%20folder/a/b.txt';
    const text = `my folder: a/b.txt at ${uri}`;
    equal(await read(uri), [{ uri, mimeType: 'text/plain', text }], 'the note');
  },

  async 'a resource that is not there is told apart from one that must not be read'({ connect }) {
    const client = await connect();
    for (const uri of ['suite://nothing', 'suite://notes/none/x']) {
      const thrown = await rejection(client.read(uri), `reading ${uri}`);
      check(isResourceNotFound(thrown), `${uri} is not found`);
      check(isProtocolError(thrown), 'the error is a ProtocolError');
    }
    for (const path of ['..%2f..%2fpasswd', '%2Fetc/passwd', 'a/../../b', '%252e%252e/b', 'a%00b']) {
      const thrown = await rejection(client.read(`suite://notes/red/${path}`), `reading ${path}`);
      check(isProtocolError(thrown) && thrown.code === codes.invalidParams, `${path} is refused`);
      check(!isResourceNotFound(thrown), `${path} is not looked for`);
    }
  },

  async 'a watched resource is told of and others are not'({ connect }) {
    const client = await connect();
    const watched = client.watch({ uris: ['suite://readme'] })[Symbol.asyncIterator]();
    const other = client.watch({ uris: ['suite://bytes'], tools: true })[Symbol.asyncIterator]();
    const told = await untilTold(client, watched, 'touch', { uri: 'suite://readme' });
    equal(told, { kind: 'resource', uri: 'suite://readme' }, 'the change');
    const bytes = { kind: 'resource', uri: 'suite://bytes' };
    equal(await untilTold(client, other, 'touch', { uri: 'suite://bytes' }), bytes, 'the other change');
    await watched.return?.();
    await other.return?.();
  },

  async 'a change of resources and prompts is told, and the next lists show it'({ connect }) {
    const client = await connect();
    const resources = client.watch({ resources: true })[Symbol.asyncIterator]();
    equal(await untilTold(client, resources, 'rearrange'), { kind: 'resources' }, 'the change');
    const prompts = client.watch({ prompts: true })[Symbol.asyncIterator]();
    equal(await untilTold(client, prompts, 'rearrange'), { kind: 'prompts' }, 'the other change');
    const [first] = await within(client.resources().all(), 'the resources');
    equal(first?.uri, 'suite://bytes', 'the first resource afterwards');
    const [prompt] = await within(client.prompts().all(), 'the prompts');
    equal(prompt?.name, 'kinds', 'the first prompt afterwards');
    await resources.return?.();
    await prompts.return?.();
  },

  async 'a prompt is listed with its arguments, and written out with them'({ connect }) {
    const client = await connect();
    const [greet, ...others] = await within(client.prompts().all(), 'the list');
    equal(
      others.map(({ name }) => name),
      ['kinds', 'asks'],
      'the other prompts',
    );
    const who = { name: 'who', description: 'whom to greet', required: true };
    equal(greet?.arguments, [who, { name: 'how' }], 'the arguments');
    const { messages } = await within(client.prompt('greet', { who: 'Ann', how: 'hi' }), 'the prompt');
    const content = { type: 'text', text: 'Say hi to Ann.' };
    equal(messages, [{ role: 'user', content }], 'the messages');
  },

  async 'a prompt may hold every kind of content that the revision has'({ connect, lacks }) {
    const client = await connect();
    const { description, messages } = await within(client.prompt('kinds'), 'the prompt');
    equal(description, 'all of them', 'the description');
    equal(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
      'who speaks',
    );
    const [embedded, linked, spoken] = messages.map(({ content }) => content.type);
    equal(embedded, 'resource', 'the embedded resource');
    equal(linked, lacks('structured-content') ? 'text' : 'resource_link', 'the link');
    check(spoken === 'audio' || lacks('structured-content'), 'the audio');
  },

  async 'a prompt that is not there, or lacks what it needs, is refused with the reason'({ connect }) {
    const client = await connect();
    for (const [name, args, reason] of [
      ['great', {}, 'did you mean "greet"'],
      ['greet', {}, '"who" must be given'],
      ['greet', { who: 7 as never }, '"who" must be a string'],
    ] as const) {
      const thrown = await rejection(client.prompt(name, args), `the prompt ${name}`);
      check(isProtocolError(thrown) && thrown.code === codes.invalidParams, 'the arguments are refused');
      contains(thrown.message, reason, 'the reason');
    }
  },

  async 'arguments are completed, within bounds and with the others in view'({ connect }) {
    const client = await connect();
    const ask = (...given: Parameters<Client['complete']>): ReturnType<Client['complete']> =>
      within(client.complete(...given), 'the suggestions');
    const template = 'suite://notes/{folder}/{+path}';
    const folders = await ask({ template }, { name: 'folder', value: 'gr' });
    equal(folders, { values: ['green', 'Grey'], total: 2, hasMore: false }, 'the folders');
    const paths = await ask({ template }, { name: 'path', value: 'x' }, { context: { folder: 'red' } });
    equal(paths.values, ['red/x'], 'the paths');
    const people = await ask({ prompt: 'greet' }, { name: 'who', value: 'A' });
    equal([people.values.length, people.total, people.hasMore], [100, 500, true], 'the people');
    equal((await ask({ prompt: 'greet' }, { name: 'how', value: '' })).values, [], 'what nobody completes');
    const thrown = await rejection(
      client.complete({ prompt: 'greet' }, { name: 'x', value: '' }),
      'the call',
    );
    check(isProtocolError(thrown) && thrown.code === codes.invalidParams, 'an unknown argument is refused');
  },
};

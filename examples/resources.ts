/** A server with resources, a family of them and a prompt, and a client that reads, completes, writes out and watches. */
import { connect, expandTemplate, isResourceNotFound } from 'tenon/client';
import { prompt, resource, Server } from 'tenon/server';

const notes = new Map([
  ['groceries', 'apples, pears'],
  ['ideas', 'a boat of cardboard'],
]);

// #region resources
const index = resource({
  uri: 'notes://index',
  name: 'index',
  description: 'The names of all notes.',
  read: () => [...notes.keys()].join('\n'),
});

const note = resource({
  template: 'notes://note/{name}',
  name: 'note',
  description: 'One note by its name.',
  mimeType: 'text/plain',
  // How long clients may keep what they read: 60 s here, nothing by default.
  freshness: { ttlMs: 60_000, scope: 'private' },
  complete: { name: value => [...notes.keys()].filter(name => name.startsWith(value)) },
  // Nothing means that there is no such note.
  read: ({ name }) => notes.get(name),
});
// #endregion

// #region prompt
const review = prompt({
  name: 'review',
  description: 'Asks for an opinion on a note.',
  arguments: [{ name: 'note', description: 'its name', required: true }, { name: 'tone' }],
  complete: { note: value => [...notes.keys()].filter(name => name.startsWith(value)) },
  get: ({ note: name, tone = 'friendly' }) => `Give a ${tone} opinion on: ${notes.get(name) ?? '(nothing)'}`,
});
// #endregion

// #region serve
const server = new Server({
  name: 'notebook',
  version: '1.0.0',
  resources: [index, note],
  prompts: [review],
});
// #endregion

// A server of this process; over stdio it would be connect(stdio({ command, args })).
const client = await connect(server);

// #region read
for await (const { uri, description } of client.resources()) console.log(`${uri}: ${description}`);
const [family] = await client.resourceTemplates().all();
const template = family?.uriTemplate ?? '';

const { values } = await client.complete({ template }, { name: 'name', value: 'g' });
const uri = expandTemplate(template, { name: values[0] });
const [part] = (await client.read(uri)).contents;
console.log(`${uri} holds: ${part?.text}`);
// #endregion

await client.read('notes://note/none').catch((error: unknown) => {
  console.log(isResourceNotFound(error) ? 'there is no such note' : error);
});
await client.read('notes://note/..%2Fsecret').catch((error: unknown) => console.log(String(error)));

// #region write
const { messages } = await client.prompt('review', { note: 'ideas', tone: 'frank' });
console.log(messages[0]?.content);
// #endregion

// #region watch
// What changes before the server has heard of it is not told: watch first, read then.
const changes = client.watch({ uris: [uri] });
await client.read(uri);

notes.set('groceries', 'apples, pears, plums');
server.changed(uri);
for await (const change of changes) {
  const [fresh] = (await client.read(uri)).contents;
  console.log(`told of ${JSON.stringify(change)}: ${fresh?.text}`);
  break;
}
// #endregion

await client.close();

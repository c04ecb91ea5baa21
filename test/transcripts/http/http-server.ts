/** The servers of the transcripts over HTTP: a tea house, and one whose tea takes its time. */
import { tasks } from '../../../src/extensions/tasks/tasks.ts';
import { resource } from '../../../src/server/resource.ts';
import { Server } from '../../../src/server/server.ts';
import { type AnyTool, tool } from '../../../src/tools/tool.ts';

/** Sends a tea; the header that repeats the city is called `header`. */
const post = (header: string): AnyTool =>
  tool({
    name: 'post',
    description: 'Sends a tea.',
    input: {
      type: 'object',
      properties: { city: { type: 'string', 'x-mcp-header': header } },
      required: ['city'],
    },
    run({ city }, { progress }) {
      progress(1, { message: 'packed' });
      return `It is on its way to ${city}.`;
    },
  });

const choose = tool({
  name: 'choose',
  description: 'Asks which tea it shall be.',
  async run(_args, { elicit }) {
    const requestedSchema = { type: 'object', properties: { tea: { type: 'string' } } };
    const { content } = await elicit('tea', { message: 'Which tea?', requestedSchema });
    return `One ${content?.['tea']} tea.`;
  },
});

const steep = tool({
  name: 'steep',
  description: 'Sends the client away meanwhile.',
  run(_args, { closeStream }) {
    closeStream();
    return 'Three minutes later.';
  },
});

const wait = tool({
  name: 'wait',
  description: 'Waits until it is cancelled.',
  run: (_args, { signal, progress }) => {
    progress(1, { message: 'waiting' });
    return new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  },
});

const card = resource({ uri: 'tea://card', name: 'card', read: () => 'green, black, white' });

export function makeServer(): Server {
  const restock = tool({
    name: 'restock',
    description: 'Writes the card anew, and renames a header.',
    run() {
      server.update({ tools: [post('Town'), restock] });
      server.changed('tea://card');
      return 'There is white tea again.';
    },
  });
  const server = new Server({
    name: 'tea-house',
    version: '1.0.0',
    tools: [post('City'), choose, steep, wait, restock],
    resources: [card],
  });
  return server;
}

export const makeTaskServer = (): Server =>
  new Server({
    name: 'tea-house',
    version: '1.0.0',
    tools: [
      tool({ name: 'ferment', description: 'Takes its time.', task: 'required', run: () => 'Black tea.' }),
    ],
    extensions: [tasks({ pollInterval: 50 })],
  });

/** The server that is mounted in every program beside this file: a tool, one that asks, and one that reports progress. */
// #region server
import { Server, tool } from 'tenon/server';

const greet = tool({
  name: 'greet',
  description: 'Greets somebody by name.',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `hello ${name}`,
});
// #endregion

const book = tool({
  name: 'book',
  description: 'Books a table after asking for how many.',
  async run(_args, { elicit }) {
    const { action, content } = await elicit('guests', {
      message: 'For how many?',
      requestedSchema: { type: 'object', properties: { guests: { type: 'integer' } }, required: ['guests'] },
    });
    return action === 'accept' ? `a table for ${content?.['guests']}` : 'no table';
  },
});

const count = tool({
  name: 'count',
  description: 'Counts to three and reports each number on the way.',
  async run(_args, { progress }) {
    for (const number of [1, 2, 3]) {
      progress(number, { total: 3 });
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    return 'done';
  },
});

// #region server
export const server: Server = new Server({
  name: 'restaurant',
  version: '1.0.0',
  tools: [greet, book, count],
});
// #endregion

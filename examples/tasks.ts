/**
 * A tool that works longer than a call should last: its call becomes a task. One client awaits it like any other
 * call, another picks it up again by its id alone.
 */
import { connect } from 'tenon/client';
import { tasks } from 'tenon/extensions/tasks';
import { Server, tool } from 'tenon/server';

const pages = ['cover', 'letter', 'index'];

// #region tool
const print = tool({
  name: 'print',
  description: 'Prints the report, page by page.',
  task: 'allowed',
  async run(_args, { progress, elicit, signal }) {
    for (const [index, page] of pages.entries()) {
      signal.throwIfAborted();
      await new Promise(resolve => setTimeout(resolve, 20));
      progress(index + 1, { total: pages.length, message: `printed the ${page}` });
    }
    const { action } = await elicit('staple', {
      message: 'Staple the pages?',
      requestedSchema: { type: 'object', properties: {} },
    });
    return action === 'accept' ? '3 pages, stapled' : '3 pages';
  },
});
// #endregion

// #region server
const server = new Server({
  name: 'printer',
  version: '1.0.0',
  tools: [print],
  extensions: [tasks({ pollInterval: 50 })],
});
// #endregion

// #region await
const client = await connect(server, {
  extensions: [
    tasks({ onStatus: ({ status, statusMessage = '' }) => console.log(' ', status, statusMessage) }),
  ],
  onElicit: () => ({ action: 'accept', content: {} }),
});
const { content } = await client.call('print');
// #endregion
console.log('awaited:', content);

// #region resume
const { id = '' } = await tasks.start(client, 'print');
await client.close();

const later = await connect(server, {
  extensions: [tasks()],
  onElicit: () => ({ action: 'decline' }),
});
const task = await tasks.resume(later, id);
const result = await task.result();
// #endregion
console.log('picked up again:', task.status, result.content);
await later.close();

// #region first
const order = tool({
  name: 'order',
  description: 'Asks what to order, then orders it in a task.',
  task: 'required',
  taskStart: 'by-tool',
  async run(_args, { elicit, startTask }) {
    const answer = await elicit('what', {
      message: 'What shall I order?',
      requestedSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    });
    await startTask();
    return `ordered ${answer.content?.['what']}`;
  },
});
// #endregion
const shop = new Server({
  name: 'shop',
  version: '1.0.0',
  tools: [order],
  extensions: [tasks({ pollInterval: 50 })],
});
await using buyer = await connect(shop, {
  extensions: [tasks()],
  onElicit: ({ message }) => {
    console.log('asked with the call:', message);
    return { action: 'accept', content: { what: 'toner' } };
  },
});
console.log('in the end:', (await buyer.call('order')).content);

/** A served agent that asks whoever calls it before it changes anything, and goes on where it stopped. */
// #region serve
import { Agent, Server, serveAgent, tool } from 'tenon';
// #endregion
import { connect } from 'tenon';
import { scripted } from 'tenon/testing';

const boards = new Map([['B2', 1980]]);
const model = scripted([
  { toolCalls: [{ name: 'cut', arguments: { board: 'B2', at: 990 } }] },
  { toolCalls: [{ name: 'cut', arguments: { board: 'B7', at: 100 } }] },
  'B2 is cut at 990 mm. B7 was left alone, as you wished.',
]);

// #region serve
const cut = tool({
  name: 'cut',
  description: 'Cuts a board. This cannot be undone.',
  input: {
    type: 'object',
    properties: { board: { type: 'string' }, at: { type: 'number' } },
    required: ['board', 'at'],
  },
  needsApproval: true,
  run: ({ board, at }) => {
    boards.set(board, at);
    return `${board} is ${at} mm now`;
  },
});
const joiner = new Agent({ model, tools: [cut], pause: true });
const server = new Server({
  name: 'workshop',
  version: '1.0.0',
  tools: [serveAgent(joiner, { name: 'cut_boards', description: 'Cuts boards to length.' })],
});
// #endregion

// #region call
const client = await connect(server, {
  onElicit: ({ message }) => {
    console.log(message);
    return { action: 'accept', content: { approve: message.includes('B2'), reason: 'B7 is not mine' } };
  },
});
const result = await client.call('cut_boards', { prompt: 'Halve B2, and trim B7.' });
// #endregion
for (const block of result.content) if (block.type === 'text') console.log(block.text);
console.log(`model calls: ${model.requests.length}, boards cut: ${[...boards.keys()].join(', ')}`);
await client.close();

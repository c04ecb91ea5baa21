/** A whole agent offered as one MCP tool, with its progress, and a client that calls it. */
// #region serve
import { Agent, Server, serveAgent } from 'tenon';
// #endregion
import { connect, tool } from 'tenon';
import { scripted } from 'tenon/testing';

const measure = tool({
  name: 'measure',
  description: 'The length of a board in millimetres.',
  input: { type: 'object', properties: { board: { type: 'string' } }, required: ['board'] },
  run: ({ board }) => `${board}: 1980 mm`,
});

const model = scripted([
  { toolCalls: [{ name: 'measure', arguments: { board: 'B2' } }] },
  'Cut B2 at 990 mm to get two equal halves.',
]);

// #region serve
const joiner = new Agent({ model, tools: [measure], instructions: 'Plan cuts. Measure before you answer.' });
const server = new Server({
  name: 'workshop',
  version: '1.0.0',
  tools: [serveAgent(joiner, { name: 'plan_cut', description: 'Plans how to cut a board.' })],
});
// #endregion

// Over stdio it would be serveStdio(server); in one process a client connects to it directly.
const client = await connect(server);
const result = await client.call(
  'plan_cut',
  { prompt: 'Halve board B2.' },
  { onProgress: ({ progress, message }) => console.log(`step ${progress}: ${message}`) },
);
for (const block of result.content) if (block.type === 'text') console.log(block.text);
await client.close();

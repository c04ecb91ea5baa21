/** Calls typed by a file that `tenon types` wrote. The program is both: it starts itself again as the server. */
// #region use
import { connect } from 'tenon/client';
import { stdio } from 'tenon/stdio';
import { timberYard } from './typed-calls/timber-yard.ts';
// #endregion
import { Server, tool } from 'tenon/server';
import { serveStdio } from 'tenon/stdio';

const inStock = tool({
  name: 'in_stock',
  description: 'How many boards of a wood are in stock.',
  input: {
    type: 'object',
    properties: {
      wood: { enum: ['oak', 'ash'], description: 'Which wood.' },
      length: { type: 'number', description: 'Centimetres at least.' },
    },
    required: ['wood'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { boards: { type: 'integer' } },
    required: ['boards'],
    additionalProperties: false,
  },
  run: ({ wood }) => ({ boards: wood === 'oak' ? 12 : 0 }),
});

if (process.argv[2] === 'serve') {
  serveStdio(new Server({ name: 'timber-yard', version: '1.0.0', tools: [inStock] }));
} else {
  const command = process.execPath;
  const args = [String(process.argv[1]), 'serve'];
  // #region use
  const client = await connect(stdio({ command, args }), { catalogue: timberYard });
  const { structuredContent } = await client.call('in_stock', { wood: 'oak' });
  console.log(`${structuredContent?.boards} boards of oak`);
  // #endregion

  // Listing the tools compares them with the catalogue.
  await client.tools().all();
  const drift = client.diagnostics.filter(({ kind }) => kind === 'tool-drift');
  for (const { message } of drift) console.log(message);
  if (drift.length > 0) process.exitCode = 1;
  await client.close();
}

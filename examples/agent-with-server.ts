/** An agent that uses the tools of an MCP server over stdio. The file is both: it starts itself again as the server. */
// #region use
import { Agent, connect, toolset } from 'tenon';
import { stdio } from 'tenon/stdio';
// #endregion
import { Server, tool } from 'tenon/server';
import { serveStdio } from 'tenon/stdio';
import { scripted } from 'tenon/testing';

const stock: Readonly<Record<string, number>> = { oak: 12, ash: 0 };

const inStock = tool({
  name: 'in_stock',
  description: 'How many boards of a wood are in stock.',
  input: {
    type: 'object',
    properties: { wood: { type: 'string' } },
    required: ['wood'],
    additionalProperties: false,
  },
  run: ({ wood }) => `${stock[wood] ?? 0} boards of ${wood}`,
});

if (process.argv[2] === 'serve') {
  serveStdio(new Server({ name: 'timber-yard', version: '1.0.0', tools: [inStock] }));
} else {
  // Any model will do; this one follows a script, so that the example needs no network.
  const model = scripted([
    {
      toolCalls: [
        { name: 'in_stock', arguments: { wood: 'oak' } },
        { name: 'in_stock', arguments: { wood: 'ash' } },
      ],
    },
    'Oak: 12 boards. Ash is sold out.',
  ]);

  const command = process.execPath;
  const args = [String(process.argv[1]), 'serve'];
  // #region use
  const client = await connect(stdio({ command, args }));
  const agent = new Agent({
    model,
    instructions: 'Answer from the stock list.',
    tools: toolset(client),
  });
  const { output, usage } = await agent.run('Which woods can I have today?');
  await client.close();
  // #endregion

  console.log(`${client.server.name} spoke revision ${client.revision}`);
  console.log(output);
  console.log(`${usage.requests} requests to the model`);
}

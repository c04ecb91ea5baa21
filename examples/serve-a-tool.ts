/**
 * A server and its client in one file. With the argument `serve` it is the server, on its own stdin and stdout, ready
 * for any host; without, it starts itself as that server and uses it.
 */
import { connect } from 'tenon/client';
import { Server, ToolError, tool } from 'tenon/server';
import { serveStdio, stdio } from 'tenon/stdio';

const stock = new Map([
  ['apple', 12],
  ['pear', 3],
]);

// #region tool
const take = tool({
  name: 'take',
  description: 'Takes fruit out of the stock and says how many are left.',
  input: {
    type: 'object',
    properties: { fruit: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
    required: ['fruit'],
    additionalProperties: false,
  },
  output: { type: 'object', properties: { left: { type: 'integer' } }, required: ['left'] },
  run({ fruit, count = 1 }) {
    const there = stock.get(fruit) ?? 0;
    if (there < count) throw new ToolError(`there are only ${there} of ${fruit}`, { data: { there } });
    stock.set(fruit, there - count);
    return { left: there - count };
  },
});
// #endregion

if (process.argv[2] === 'serve') {
  // #region serve
  serveStdio(new Server({ name: 'fruit', version: '1.0.0', tools: [take] }));
  // #endregion
} else {
  const [, program = ''] = process.argv;
  const channel = stdio({ command: process.execPath, args: [program, 'serve'] });
  await using client = await connect(channel);
  console.log(`connected to ${client.server.name} ${client.server.version}, revision ${client.revision}`);
  for (const { name, description } of await client.tools().all()) console.log(`  ${name}: ${description}`);

  for (const args of [{ fruit: 'apple', count: 5 }, { fruit: 'pear', count: 5 }, { friut: 'pear' }]) {
    const { isError, structuredContent, content } = await client.call('take', args);
    console.log(JSON.stringify(args), isError ? 'was refused:' : 'gave:', structuredContent ?? content);
  }
}

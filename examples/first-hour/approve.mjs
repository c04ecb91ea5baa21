import { createInterface } from 'node:readline/promises';
import { Agent, connect, toolset } from 'tenon';
import { modelFromEnvironment } from 'tenon/models';
import { withApproval } from 'tenon/patterns';
import { stdio } from 'tenon/stdio';

async function ask({ tool, arguments: args }) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`May ${tool} run with ${JSON.stringify(args)}? `);
  terminal.close();
  return answer.trim() === 'yes';
}

const client = await connect(stdio({ command: 'node', args: ['stdio.mjs'] }));
const tools = withApproval(await toolset(client).tools(), { tools: ['order'], ask });
const agent = new Agent({ model: await modelFromEnvironment(process.env), tools });
const { output } = await agent.run('Order 2 boards of oak.');
console.log(output);
await client.close();

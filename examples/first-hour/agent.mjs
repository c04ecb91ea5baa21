import { Agent, connect, toolset } from 'tenon';
import { modelFromEnvironment } from 'tenon/models';
import { stdio } from 'tenon/stdio';
import { scripted } from 'tenon/testing';

const script = [{ toolCalls: [{ name: 'in_stock', arguments: { wood: 'oak' } }] }, 'Yes: 12 boards.'];
const model = process.env.TENON_MODEL ? await modelFromEnvironment(process.env) : scripted(script);

const client = await connect(stdio({ command: 'node', args: ['stdio.mjs'] }));
const agent = new Agent({ model, tools: toolset(client) });
const { output, usage } = await agent.run('Do we have oak?', {
  onEvent: event => {
    if (event.type === 'tool-end') console.log('the tool said:', event.result);
  },
});
console.log(output);
console.log(`${usage.requests} requests to ${model.name}`);
await client.close();

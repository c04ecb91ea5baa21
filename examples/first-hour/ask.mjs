import { connect } from 'tenon';
import { stdio } from 'tenon/stdio';

const client = await connect(stdio({ command: 'node', args: ['stdio.mjs'] }));
for await (const { name, description } of client.tools()) console.log(`${name}: ${description}`);
const { content } = await client.call('in_stock', { wood: 'oak' });
console.log(content[0].text);
await client.close();

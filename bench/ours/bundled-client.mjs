/** Our client on both transports. */
import { connect, http } from 'tenon/client';
import { stdio } from 'tenon/stdio';

const [target = ''] = process.argv.slice(2);
const client = await connect(target.startsWith('http') ? http(target) : stdio({ command: target }));
console.log(await client.tools().all());

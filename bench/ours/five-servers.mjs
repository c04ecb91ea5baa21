/** Our client, started with several servers. */
import { connect } from 'tenon/client';
import { stdio } from 'tenon/stdio';
import { asked } from '../client-run.mjs';
import { measureStart } from '../started.mjs';

await measureStart(async () => {
  const client = await connect(stdio({ command: process.execPath, args: [asked.server] }));
  return (await client.tools().all()).length;
}, asked);

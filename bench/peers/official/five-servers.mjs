/** The official client, started with several servers. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { asked } from '../../client-run.mjs';
import { clientInfo } from '../../messages.mjs';
import { measureStart } from '../../started.mjs';

await measureStart(async () => {
  const client = new Client(clientInfo);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [asked.server] }));
  return (await client.listTools()).tools.length;
}, asked);

/** AI SDK's client, started with several servers. */
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { asked } from '../../client-run.mjs';
import { measureStart } from '../../started.mjs';

await measureStart(async () => {
  const transport = new StdioMCPTransport({ command: process.execPath, args: [asked.server] });
  const client = await createMCPClient({ transport });
  return Object.keys(await client.tools()).length;
}, asked);

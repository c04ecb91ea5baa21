/** tmcp's server with the two tools. */
import { ValibotJsonSchemaAdapter } from '@tmcp/adapter-valibot';
import { McpServer } from 'tmcp';
import * as v from 'valibot';
import { listings, serverInfo } from '../../messages.mjs';

const [echo, add] = listings;

export function makeServer() {
  const server = new McpServer(serverInfo, {
    adapter: new ValibotJsonSchemaAdapter(),
    capabilities: { tools: { listChanged: true } },
  });
  server.tool(
    { name: 'echo', description: echo.description, schema: v.object({ text: v.string() }) },
    ({ text }) => ({
      content: [{ type: 'text', text }],
    }),
  );
  server.tool(
    {
      name: 'add',
      description: add.description,
      schema: v.object({ a: v.number(), b: v.number() }),
      outputSchema: v.object({ sum: v.number() }),
    },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
  );
  return server;
}

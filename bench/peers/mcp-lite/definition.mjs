/** mcp-lite's server with the two tools. */
import { McpServer } from 'mcp-lite';
import { z } from 'zod';
import { listings, serverInfo } from '../../messages.mjs';

const [echo, add] = listings;

export function makeServer() {
  const server = new McpServer({ ...serverInfo, schemaAdapter: schema => z.toJSONSchema(schema) });
  server.tool('echo', {
    description: echo.description,
    inputSchema: z.object({ text: z.string() }),
    handler: ({ text }) => ({ content: [{ type: 'text', text }] }),
  });
  server.tool('add', {
    description: add.description,
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
    handler: ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  });
  return server;
}

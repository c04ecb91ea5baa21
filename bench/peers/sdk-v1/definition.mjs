/** The first official package's server with the two tools. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { listings, serverInfo } from '../../messages.mjs';

const [echo, add] = listings;

export function makeServer() {
  const server = new McpServer(serverInfo);
  server.registerTool(
    'echo',
    { description: echo.description, inputSchema: { text: z.string() } },
    ({ text }) => ({
      content: [{ type: 'text', text }],
    }),
  );
  server.registerTool(
    'add',
    {
      description: add.description,
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
    },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
  );
  return server;
}

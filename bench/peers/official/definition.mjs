/** The official server with the two tools. */
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listings, moreTools, serverInfo } from '../../messages.mjs';

const [echo, add] = listings;

export function makeServer() {
  const server = new McpServer(serverInfo, { capabilities: { tools: {} } });
  server.registerTool(
    'echo',
    { description: echo.description, inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  server.registerTool(
    'add',
    {
      description: add.description,
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
  );
  for (const { name, description } of moreTools) {
    const inputSchema = z.object({ text: z.string() });
    server.registerTool(name, { description, inputSchema }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
  }
  return server;
}

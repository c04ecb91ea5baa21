/** fastmcp's server with the two tools. */
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { listings, serverInfo } from '../../messages.mjs';

const [echo, add] = listings;

export function makeServer() {
  const server = new FastMCP({ ...serverInfo, ping: { enabled: false } });
  server.addTool({
    name: 'echo',
    description: echo.description,
    parameters: z.object({ text: z.string() }),
    execute: async ({ text }) => text,
  });
  server.addTool({
    name: 'add',
    description: add.description,
    parameters: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
    execute: async ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  });
  return server;
}

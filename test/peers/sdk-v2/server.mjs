/** A small server of ours on the published 2.x packages. `--stateless-only` refuses the handshake. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

function makeServer() {
  const server = new McpServer(
    { name: 'fixture-2x', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: 'Adds and asks.' },
  );
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool('fail', { description: 'Always fails.', inputSchema: z.object({}) }, () => {
    throw new Error('this tool always fails');
  });
  server.registerTool(
    'wait',
    { description: 'Runs until it is cancelled.', inputSchema: z.object({}) },
    (_args, context) =>
      new Promise((_resolve, reject) => {
        context.mcpReq.signal.addEventListener('abort', () => {
          console.error('wait was cancelled');
          reject(new Error('cancelled'));
        });
      }),
  );
  return server;
}

serveStdio(makeServer, { legacy: process.argv.includes('--stateless-only') ? 'reject' : 'serve' });

/** A small server of ours on the published 2.x packages over HTTP; prints its port. `--stateless-only` refuses the handshake. */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

function makeServer() {
  const server = new McpServer(
    { name: 'fixture-2x-http', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  server.registerTool(
    'add',
    { description: 'Adds two numbers.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  );
  server.registerTool('fail', { description: 'Always fails.', inputSchema: z.object({}) }, () => {
    throw new Error('this tool always fails');
  });
  server.registerTool(
    'wait',
    { description: 'Runs until it is cancelled.', inputSchema: z.object({}) },
    (_args, context) =>
      new Promise((_resolve, reject) => {
        console.log('wait began');
        context.mcpReq.signal.addEventListener('abort', () => {
          console.log('wait was cancelled');
          reject(new Error('cancelled'));
        });
      }),
  );
  return server;
}

const legacy = process.argv.includes('--stateless-only') ? 'reject' : 'stateless';
const handle = toNodeHandler(createMcpHandler(makeServer, { legacy }));
const listener = createServer(handle);
listener.listen(0, '127.0.0.1', () => console.log(`port ${listener.address().port}`));

/** A small server of ours on the published tmcp packages, which share no code with the official ones. */
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { StdioTransport } from '@tmcp/transport-stdio';
import { McpServer } from 'tmcp';
import { z } from 'zod';

const server = new McpServer(
  { name: 'fixture-tmcp', version: '1.0.0', description: 'Adds.' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
);

server.tool(
  { name: 'add', description: 'Adds two numbers.', schema: z.object({ a: z.number(), b: z.number() }) },
  ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
);

new StdioTransport(server).listen();

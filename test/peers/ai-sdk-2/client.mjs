/**
 * Lists and calls with the MCP client of the AI SDK, line 2: `node client.mjs <plan as JSON>`. A plan is
 * `{ command, args }` or `{ url }`, with `options` of the client. Prints `{ tools, result }`.
 */
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';

const { url, command, args, options } = JSON.parse(process.argv[2]);
const transport = url ? { type: 'http', url } : new Experimental_StdioMCPTransport({ command, args });
const client = await createMCPClient({ transport, ...options });
const { tools } = await client.listTools();
const { add } = await client.tools();
const result = await add.execute({ a: 20, b: 22 }, { toolCallId: 'one', messages: [] });
await client.close();
console.log(JSON.stringify({ tools, result }));

/** A server's tool as OpenAI Agents gives it to a model, beside a call of the server; within one process the floor answers. */
import { Agent, getAllMcpTools, MCPServerStdio, RunContext, setTracingDisabled } from '@openai/agents';
import { measureBridge } from '../../bridge-run.mjs';
import { asked } from '../../client-run.mjs';
import { resultOf } from '../../floor/answer.mjs';
import { listings, text } from '../../messages.mjs';

setTracingDisabled(true);

const inMemory = {
  name: 'bench',
  cacheToolsList: true,
  async connect() {},
  async close() {},
  listTools: async () => listings.map(listing => ({ ...listing, annotations: {} })),
  callTool: async (name, given) =>
    resultOf({ method: 'tools/call', params: { name, arguments: given } }).content,
  async invalidateToolsCache() {},
};
const server = asked.server
  ? new MCPServerStdio({
      command: process.execPath,
      args: [asked.server],
      name: 'bench',
      cacheToolsList: true,
    })
  : inMemory;
await server.connect();
const runContext = new RunContext();
const agent = new Agent({ name: 'bench', mcpServers: [server] });
const echo = (await getAllMcpTools({ mcpServers: [server], runContext, agent })).find(
  ({ name }) => name === 'echo',
);
const signal = new AbortController().signal;
const input = JSON.stringify({ text });

await measureBridge(
  {
    direct: () => server.callTool('echo', { text }),
    bridged: () => echo.invoke(runContext, input, { signal }),
  },
  asked,
);

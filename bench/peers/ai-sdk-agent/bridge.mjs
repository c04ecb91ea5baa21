/** AI SDK's tools of a server beside its client's call; within one process the floor answers. */
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { measureBridge } from '../../bridge-run.mjs';
import { asked } from '../../client-run.mjs';
import { resultOf } from '../../floor/answer.mjs';
import { text } from '../../messages.mjs';

const inMemory = {
  async start() {},
  async send(message) {
    if (message.id === undefined) return;
    const answer = { jsonrpc: '2.0', id: message.id, result: resultOf(message) };
    queueMicrotask(() => inMemory.onmessage(answer));
  },
  async close() {},
};
const transport = asked.server
  ? new StdioMCPTransport({ command: process.execPath, args: [asked.server] })
  : inMemory;
const client = await createMCPClient({ transport });
const { echo } = await client.tools();
const options = { messages: [], toolCallId: 'bench', abortSignal: new AbortController().signal };

await measureBridge(
  {
    direct: () => client.callTool({ name: 'echo', arguments: { text } }),
    bridged: () => echo.execute({ text }, options),
  },
  asked,
);

/** The official server over HTTP; `--session-less` keeps no sessions, `--stream` answers with event streams. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { makeServer } from './definition.mjs';

const streamed = process.argv.includes('--stream');
const sessionLess = process.argv.includes('--session-less');
const single = toNodeHandler(createMcpHandler(makeServer, { responseMode: streamed ? 'sse' : 'auto' }));
const sessions = new Map();

async function open(request, response) {
  const transport = new NodeStreamableHTTPServerTransport({
    ...(sessionLess
      ? {}
      : { sessionIdGenerator: randomUUID, onsessioninitialized: id => sessions.set(id, transport) }),
    enableJsonResponse: !streamed,
  });
  await makeServer().connect(transport);
  await transport.handleRequest(request, response);
}

const listener = createServer((request, response) => {
  const session = sessions.get(request.headers['mcp-session-id']);
  if (session) void session.handleRequest(request, response);
  else if (request.headers['mcp-method'] !== undefined) void single(request, response);
  else void open(request, response);
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));

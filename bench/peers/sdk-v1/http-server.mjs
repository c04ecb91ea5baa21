/** The first official package's server over HTTP; `--session-less` keeps no sessions, `--stream` answers with event streams. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { makeServer } from './definition.mjs';

const enableJsonResponse = !process.argv.includes('--stream');
const sessionLess = process.argv.includes('--session-less');
const sessions = new Map();

async function open(request, response) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: sessionLess ? undefined : randomUUID,
    onsessioninitialized: id => sessions.set(id, transport),
    enableJsonResponse,
  });
  await makeServer().connect(transport);
  await transport.handleRequest(request, response);
}

const listener = createServer((request, response) => {
  const session = sessions.get(request.headers['mcp-session-id']);
  void (session ? session.handleRequest(request, response) : open(request, response));
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));

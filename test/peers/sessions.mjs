/** Serves handshake clients over HTTP by the official transports, whose users keep the map of sessions themselves. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { memoryEventStore } from './events.mjs';

/**
 * Makes a `(request, response, body)` handler; each session gets a server of `makeServer`. `form` is `stream`, where
 * events are kept, or `json`.
 */
export function serveSessions(Transport, makeServer, form) {
  const sessions = new Map();
  return async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    let transport = sessions.get(id);
    if (id !== undefined && !transport) {
      const error = { code: -32001, message: 'Session not found' };
      response.writeHead(404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
      return;
    }
    if (!transport) {
      const made = new Transport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: session => void sessions.set(session, made),
        ...(form === 'json'
          ? { enableJsonResponse: true }
          : { eventStore: memoryEventStore(), retryInterval: 20 }),
      });
      transport = made;
      transport.onclose = () => sessions.delete(made.sessionId);
      await makeServer().connect(transport);
    }
    await transport.handleRequest(request, response, body);
  };
}

/** Listens on a free port of this machine and prints the URL; a `body` that is not JSON stays undefined. */
export function listen(handle) {
  const server = createServer(async (request, response) => {
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      await handle(request, response, text === '' ? undefined : JSON.parse(text));
    } catch (error) {
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
  // Whoever started this program holds the other end.
  process.stdin.resume().once('end', () => process.exit(0));
}

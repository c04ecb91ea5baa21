/** The floor over HTTP: bare node:http, JSON or an event stream as the client takes it, a session for who initializes. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { answer } from './answer.mjs';

const streamed = process.argv.includes('--stream');
const sessions = new Set();

const listener = createServer((request, response) => {
  if (request.method !== 'POST') {
    if (request.method === 'DELETE') sessions.delete(request.headers['mcp-session-id']);
    response.writeHead(request.method === 'DELETE' ? 204 : 405).end();
    return;
  }
  const chunks = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString());
    const text = answer(message);
    if (text === undefined) {
      response.writeHead(202).end();
      return;
    }
    const session = request.headers['mcp-session-id'];
    if (session !== undefined && !sessions.has(session)) {
      response.writeHead(404).end();
      return;
    }
    const headers = {};
    if (message.method === 'initialize') {
      const opened = randomUUID();
      sessions.add(opened);
      headers['Mcp-Session-Id'] = opened;
    }
    if (streamed || !request.headers.accept.includes('application/json')) {
      headers['Content-Type'] = 'text/event-stream';
      headers['Cache-Control'] = 'no-store';
      response.writeHead(200, headers).end(`event: message\ndata: ${text}\n\n`);
    } else {
      headers['Content-Type'] = 'application/json';
      headers['Content-Length'] = Buffer.byteLength(text);
      response.writeHead(200, headers).end(text);
    }
  });
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));

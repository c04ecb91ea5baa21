/** The floor's client over HTTP: node:http with connections that are kept, nothing checked. */
import { Agent, request } from 'node:http';
import { asked, measureCalls } from '../client-run.mjs';
import { headersOf, initialize, initialized, print, printEcho } from '../messages.mjs';

const { url, era } = asked;
const agent = new Agent({ keepAlive: true });
const both = 'application/json, text/event-stream';
const { hostname, port, pathname } = new URL(url);
let lastId = 0;
let session;

function post(method, body) {
  return new Promise((resolve, reject) => {
    const headers = headersOf(era, method, { accept: both, session });
    headers['content-length'] = Buffer.byteLength(body);
    const sent = request({ agent, method: 'POST', hostname, port, path: pathname, headers }, response => {
      let got = '';
      response.setEncoding('utf8').on('data', chunk => {
        got += chunk;
      });
      response.on('end', () => {
        session ??= response.headers['mcp-session-id'];
        if (got === '') resolve(undefined);
        else if (response.headers['content-type'] === 'application/json') resolve(JSON.parse(got));
        else resolve(JSON.parse(got.slice(got.indexOf('data: ') + 6, got.indexOf('\n\n'))));
      });
    });
    sent.on('error', reject).end(body);
  });
}

if (era === 'handshake') {
  await post('initialize', print(era, ++lastId, 'initialize', initialize));
  await post('notifications/initialized', initialized);
}
await measureCalls(
  async () => (await post('tools/call', printEcho(era, ++lastId))).result.content[0].text,
  asked,
);
agent.destroy();

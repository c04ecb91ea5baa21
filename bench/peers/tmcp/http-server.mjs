/** tmcp over HTTP on srvx, as its documentation shows; it answers with event streams, and keeps sessions for the handshake. */
import { HttpTransport } from '@tmcp/transport-http';
import { serve } from 'srvx';
import { makeServer } from './definition.mjs';

const transport = new HttpTransport(makeServer(), { path: '/mcp' });
const listening = serve({
  hostname: '127.0.0.1',
  port: 0,
  silent: true,
  fetch: async request => (await transport.respond(request)) ?? new Response('Not Found', { status: 404 }),
});
await listening.ready();
console.log(new URL('/mcp', listening.url).href);

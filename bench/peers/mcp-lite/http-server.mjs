/** mcp-lite over HTTP, in a Hono app as its documentation shows, on Hono's adapter for Node; `--session-less` keeps no sessions. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { InMemorySessionAdapter, StreamableHttpTransport } from 'mcp-lite';
import { makeServer } from './definition.mjs';

const sessions = process.argv.includes('--session-less')
  ? {}
  : { sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1 }) };
const respond = new StreamableHttpTransport(sessions).bind(makeServer());
const app = new Hono().all('/mcp', context => respond(context.req.raw));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}/mcp`),
);

/** The server as one route of a Hono application; here on Node, the route is the same on every runtime. */
import { serve } from '@hono/node-server';
// #region mount
import { Hono } from 'hono';
import { handler } from 'tenon/server';
import { server } from './server.ts';

const app = new Hono();
const handle = handler(server, { allowedHosts: ['127.0.0.1'] });
app.all('/mcp', context => handle(context.req.raw));
// #endregion
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/mcp`);
});

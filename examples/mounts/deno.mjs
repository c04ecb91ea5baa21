/** The server on Deno. */
// #region mount
import { handler } from 'tenon/server';
import { server } from './server.ts';

const handle = handler(server, { allowedHosts: ['127.0.0.1'] });
Deno.serve({
  hostname: '127.0.0.1',
  port: Number(Deno.env.get('PORT') ?? 3000),
  onListen: ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`),
  handler: request => handle(request),
});
// #endregion

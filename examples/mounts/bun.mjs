/** The server on Bun. */
// #region mount
import { handler } from 'tenon/server';
import { server } from './server.ts';

const listener = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT ?? 3000),
  // A quiet event stream gets a comment every 15 s; Bun would cut it after 10.
  idleTimeout: 60,
  fetch: handler(server, { allowedHosts: ['127.0.0.1'] }),
});
console.log(`${listener.url}mcp`);
// #endregion

/** The server as a route handler: a file that exports one function for each method, as `app/mcp/route.js` in Next. */
// #region mount
import { handler } from 'tenon/server';
import { server } from './server.ts';

const handle = handler(server, { allowedHosts: ['127.0.0.1'] });
export { handle as DELETE, handle as GET, handle as POST };
// #endregion

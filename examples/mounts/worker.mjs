/** The server as a Worker. */
// #region mount
import { handler } from 'tenon/server';
import { server } from './server.ts';

const handle = handler(server, { allowedHosts: ['127.0.0.1'] });
export default { fetch: request => handle(request) };
// #endregion

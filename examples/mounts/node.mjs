/** The server on Node, as a server of its own. */
// #region mount
import { serveHttp } from 'tenon/node';
import { server } from './server.ts';

const { url } = await serveHttp(server, { port: Number(process.env.PORT ?? 3000) });
console.log(url);
// #endregion

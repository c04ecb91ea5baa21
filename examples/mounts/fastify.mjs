/** The server as one route of a Fastify application. */
// #region mount
import fastify from 'fastify';
import { nodeHandler } from 'tenon/node';
import { server } from './server.ts';

const app = fastify();
const handle = nodeHandler(server);
app.all('/mcp', (request, reply) => {
  reply.hijack();
  handle(Object.assign(request.raw, { body: request.body }), reply.raw);
});
// #endregion
const address = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
console.log(`${address}/mcp`);

/** A server over HTTP and two clients of it, one of each era, offline on loopback: a call, a question, progress. */
// #region use
import { connect, http } from 'tenon/client';
// #endregion
// #region serve
import { serveHttp } from 'tenon/node';
import { bearer } from 'tenon/server';
// #endregion
import { server } from './mounts/server.ts';

const token = 'a-token-of-this-example';

// #region serve

const service = await serveHttp(server, { authenticate: bearer({ ann: token }) });
console.log(`listening on ${service.url}`);
// #endregion

// #region use
const client = await connect(http(service.url, { headers: { authorization: `Bearer ${token}` } }), {
  onElicit: ({ message }) => {
    console.log(`asked: ${message}`);
    return { action: 'accept', content: { guests: 4 } };
  },
});
const { content } = await client.call('book');
// #endregion
console.log(`${client.revision}:`, content);
await client.call(
  'count',
  {},
  { onProgress: ({ progress, total }) => console.log(`${progress} of ${total}`) },
);
await client.close();

const older = await connect(http(service.url, { headers: { authorization: `Bearer ${token}` } }), {
  protocol: '2025-11-25',
});
console.log(`${older.revision}:`, (await older.call('greet', { name: 'Ben' })).content);
await older.close();

const stranger = await connect(http(service.url)).catch((error: Error) => error.message);
console.log(`without a token: ${stranger}`);
await service.close();

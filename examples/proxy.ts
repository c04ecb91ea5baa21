/** A server of the older kind behind a proxy, used by clients of both kinds over HTTP, offline on loopback. */
// #region proxy
import { proxy } from 'tenon/bridge';
import { connect, http } from 'tenon/client';
import { serveHttp } from 'tenon/node';
// #endregion
import { server } from './mounts/server.ts';

// In place of stdio({ command: 'npx', args: ['-y', 'some-server'] }).
const channel = server;

// #region proxy

const middle = proxy(options => connect(channel, { ...options, protocol: '2025-11-25' }));
const service = await serveHttp(middle);
// #endregion

for (const protocol of ['2026-07-28', '2025-11-25'] as const) {
  const client = await connect(http(service.url), {
    protocol,
    onElicit: ({ message }) => {
      console.log(`asked: ${message}`);
      return { action: 'accept', content: { guests: 4 } };
    },
  });
  const { content } = await client.call('book');
  console.log(`${client.revision}:`, content);
  await client.close();
}

// #region close
await service.close();
await middle.close();
// #endregion

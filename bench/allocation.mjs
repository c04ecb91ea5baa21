/** What calls allocate and what an idle session keeps, in bytes, as one line of JSON. Run by guard.mjs with its flags. */
import { agentTurn, httpClient, inMemory, stdioClient } from './guard/clients.mjs';
import { httpServer, idleSession, stdioServer } from './guard/servers.mjs';

const perEra = {
  'call in memory': inMemory,
  'call on a stdio server': stdioServer,
  'call on an HTTP server': httpServer,
  'call of a stdio client': stdioClient,
  'call of an HTTP client': httpClient,
};

const figures = {};
/** A figure that could not be had is a text that says why; the others are taken all the same. */
const add = async (name, measure) => {
  figures[name] = await measure().catch(thrown => `not measured: ${thrown.message}`);
};
for (const [name, measure] of Object.entries(perEra)) {
  for (const era of ['handshake', 'stateless']) await add(`allocated: ${name}, ${era}`, () => measure(era));
}
await add('allocated: turn of an agent', agentTurn);
await add('heap: idle session', idleSession);
console.log(JSON.stringify(figures));

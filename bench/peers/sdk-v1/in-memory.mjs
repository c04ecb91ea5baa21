/** The first official package's client and server within one process. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { asked, measureCalls } from '../../client-run.mjs';
import { clientInfo, text } from '../../messages.mjs';
import { makeServer } from './definition.mjs';

const [one, other] = InMemoryTransport.createLinkedPair();
const client = new Client(clientInfo);
await makeServer().connect(other);
await client.connect(one);
await measureCalls(
  async () => (await client.callTool({ name: 'echo', arguments: { text } })).content[0].text,
  asked,
);
await client.close();

/** The first official package's client, connected, and its run. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { asked, measureCalls } from '../../client-run.mjs';
import { clientInfo, text } from '../../messages.mjs';

export async function measureOver(transport) {
  const client = new Client(clientInfo);
  await client.connect(transport);
  await measureCalls(
    async () => (await client.callTool({ name: 'echo', arguments: { text } })).content[0].text,
    asked,
  );
  await client.close();
}

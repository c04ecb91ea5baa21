/** The official client, connected in the era that was asked for, and its run. */
import { Client } from '@modelcontextprotocol/client';
import { asked, measureCalls } from '../../client-run.mjs';
import { clientInfo, revisions, text } from '../../messages.mjs';

export async function measureOver(transport) {
  const mode = asked.era === 'stateless' ? { pin: revisions.stateless } : 'legacy';
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(transport);
  const call = async () => (await client.callTool({ name: 'echo', arguments: { text } })).content[0].text;
  await measureCalls(call, asked);
  await client.close();
}

/** AI SDK's client, connected, and its run. */
import { createMCPClient } from '@ai-sdk/mcp';
import { asked, measureCalls } from '../../client-run.mjs';
import { text } from '../../messages.mjs';

export async function measureOver(transport) {
  const client = await createMCPClient({ transport });
  const { echo } = await client.tools();
  const call = async () =>
    (await echo.execute({ text }, { messages: [], toolCallId: 'bench' })).content[0].text;
  await measureCalls(call, asked);
  await client.close();
}

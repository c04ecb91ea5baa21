/** Our client over HTTP. */
import { connect, http } from 'tenon/client';
import { asked, measureCalls } from '../client-run.mjs';
import { revisions, text } from '../messages.mjs';

const { url, era } = asked;
const client = await connect(http(url), { protocol: revisions[era] });
await measureCalls(async () => (await client.call('echo', { text })).content[0].text, asked);
await client.close();

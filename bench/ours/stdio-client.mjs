/** Our client on stdio. */
import { connect } from 'tenon/client';
import { stdio } from 'tenon/stdio';
import { asked, measureCalls } from '../client-run.mjs';
import { revisions, text } from '../messages.mjs';

const { server, era } = asked;
const channel = stdio({ command: process.execPath, args: [server] });
const client = await connect(channel, { protocol: revisions[era] });
await measureCalls(async () => (await client.call('echo', { text })).content[0].text, asked);
await client.close();

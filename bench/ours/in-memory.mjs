/** Our client and our server within one process. */
import { connect } from 'tenon/client';
import { asked, measureCalls } from '../client-run.mjs';
import { text } from '../messages.mjs';
import { server } from './definition.mjs';

const client = await connect(server);
await measureCalls(async () => (await client.call('echo', { text })).content[0].text, asked);
await client.close();

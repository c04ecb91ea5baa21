/** Our toolset: its tool beside the client's call. */
import { connect, toolset } from 'tenon';
import { stdio } from 'tenon/stdio';
import { measureBridge } from '../bridge-run.mjs';
import { asked } from '../client-run.mjs';
import { text } from '../messages.mjs';
import { server } from './definition.mjs';

const target = asked.server ? stdio({ command: process.execPath, args: [asked.server] }) : server;
const client = await connect(target);
const tools = toolset({ bench: () => client });
const echo = (await tools.tools()).find(({ name }) => name === 'echo');
const ctx = { signal: new AbortController().signal, progress: () => {} };

await measureBridge(
  { direct: () => client.call('echo', { text }), bridged: () => echo.run({ text }, ctx) },
  asked,
);

/**
 * Follows a plan with the official client of the 2.x line: `node client.mjs <plan as JSON> [auto | revision]`. Without
 * a mode it is the client's default; a revision pins it.
 */
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { followPlan } from '../plan.mjs';

const [text, mode] = process.argv.slice(2);
const plan = JSON.parse(text);
const { command, args } = plan;
const env = { ...getDefaultEnvironment(), ...plan.env };
const options =
  mode === undefined ? {} : { versionNegotiation: { mode: mode === 'auto' ? 'auto' : { pin: mode } } };
const client = new Client({ name: 'official-2x', version: '2.4.0' }, options);
await client.connect(new StdioClientTransport({ command, args, env }));
await followPlan(client, plan, () => client.getNegotiatedProtocolVersion());

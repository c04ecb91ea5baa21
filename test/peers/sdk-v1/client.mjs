/** Follows a plan with the official client of the 1.x line: `node client.mjs <plan as JSON>`. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { followPlan } from '../plan.mjs';

const plan = JSON.parse(process.argv[2]);
const { command, args } = plan;
const env = { ...getDefaultEnvironment(), ...plan.env };
const client = new Client({ name: 'official-1x', version: '1.32.2' });
const transport = new StdioClientTransport({ command, args, env });
let revision;
transport.setProtocolVersion = value => {
  revision = value;
};
await client.connect(transport);
// In this line the schema of the result stands before the options.
client.callToolSchema = [CallToolResultSchema];
await followPlan(client, plan, () => revision);

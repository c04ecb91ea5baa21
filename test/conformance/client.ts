/** The client that the official conformance suite examines, by scenario: `client.mjs URL`; built on the public API alone. */
import { type Client, type ClientOptions, connect, http } from 'tenon/client';
import { skills } from 'tenon/extensions/skills';
import { acceptWithDefaults, folders, model } from './client/answers.ts';
import { scenarios } from './client/scenarios.ts';

const url = process.argv.at(-1) ?? '';
const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');

const options: ClientOptions = {
  info: { name: 'conformance-client', version: '1.0.0' },
  onElicit: acceptWithDefaults,
  onSample: model,
  onRoots: folders,
  onDiagnostic: ({ kind, message }) => console.error(`${kind}: ${message}`),
  extensions: [skills()],
};

const scenario = scenarios[name];
if (!scenario) {
  const why = name.startsWith('auth/') ? 'this client does not authorize itself yet' : 'no such scenario';
  console.error(`${name}: ${why}`);
  process.exit(1);
}

let client: Client | undefined;
try {
  client = await connect(http(url), options);
  await scenario(client, context);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await client?.close();
}

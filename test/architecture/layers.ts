/** Which folder of `src/` may import which: the data of the layer guard. */

export interface Layer {
  readonly name: string;
  /** Whole layers, or single files of one. */
  readonly imports: readonly string[];
  /** True when only type imports of packages outside the project are allowed, for optional peers. */
  readonly peerTypes?: true;
  /** True when the build bundles packages here. */
  readonly packages?: true;
}

const door = 'eras/index.ts';
const clientDoor = 'eras/for-clients.ts';
const serverDoor = 'eras/for-servers.ts';
const httpDoor = 'eras/for-http-servers.ts';
const contract = 'channels/channel.ts';

/** From the bottom up. A layer may always import itself. */
export const layers: readonly Layer[] = [
  { name: 'vendor', imports: [], packages: true },
  { name: 'basics', imports: [] },
  { name: 'schema', imports: ['basics', 'vendor'] },
  { name: 'rpc', imports: ['basics'] },
  { name: 'tools', imports: ['schema', 'basics'] },
  { name: 'protocol', imports: ['rpc', 'tools', 'schema', 'basics'] },
  { name: 'channels', imports: ['rpc', 'tools', 'basics', 'vendor'] },
  { name: 'eras', imports: ['protocol', contract, 'rpc', 'tools', 'basics'] },
  { name: 'extensions', imports: ['protocol', door, 'rpc', 'tools', 'schema', 'basics', 'vendor'] },
  { name: 'client', imports: [door, clientDoor, 'protocol', contract, 'rpc', 'tools', 'schema', 'basics'] },
  {
    name: 'server',
    imports: [
      door,
      serverDoor,
      httpDoor,
      'protocol',
      contract,
      'channels/memory.ts',
      'rpc',
      'tools',
      'schema',
      'basics',
    ],
  },
  { name: 'projection', imports: ['tools', 'schema', 'basics'] },
  { name: 'models', imports: ['projection', 'tools', 'schema', 'basics'] },
  { name: 'agent', imports: ['models', 'projection', 'tools', 'schema', 'basics'] },
  { name: 'patterns', imports: ['agent', 'models', 'projection', 'tools', 'schema', 'basics'] },
  {
    name: 'bridge',
    imports: [
      door,
      'client',
      'server',
      'extensions',
      'protocol',
      'agent',
      'patterns',
      'models',
      'projection',
      'rpc',
      'tools',
      'schema',
      'basics',
    ],
  },
  {
    name: 'adapters',
    imports: [
      'bridge',
      'client',
      'server',
      'protocol',
      'agent',
      'models',
      'projection',
      'tools',
      'schema',
      'basics',
    ],
    peerTypes: true,
  },
  {
    name: 'otel',
    imports: ['agent', 'bridge', 'client', 'server', 'tools', 'schema', 'basics'],
    peerTypes: true,
  },
  { name: 'testing', imports: below('testing') },
  { name: 'entries', imports: below('entries') },
  { name: 'cli', imports: below('cli') },
];

function below(name: 'testing' | 'entries' | 'cli'): string[] {
  const bottom = [
    ...[
      'vendor',
      'basics',
      'schema',
      'rpc',
      'tools',
      'protocol',
      'channels',
      door,
      clientDoor,
      serverDoor,
      httpDoor,
      'extensions',
      'client',
      'server',
    ],
    ...['projection', 'models', 'agent', 'patterns', 'bridge', 'adapters', 'otel'],
  ];
  if (name === 'testing') return bottom;
  return name === 'entries' ? [...bottom, 'testing'] : [...bottom, 'testing', 'entries'];
}

/** The layer of a source file, or undefined when its folder is none. */
export function layerOf(path: string): Layer | undefined {
  const folder = path.split('/')[0];
  return layers.find(({ name }) => name === folder);
}

/** The public entries that must load where there is no Node: browsers, workers, other runtimes. */
export const neutralEntries: readonly string[] = [
  'entries/index.ts',
  'entries/client.ts',
  'entries/server.ts',
  'entries/rpc.ts',
  'entries/agent.ts',
  'entries/models.ts',
  'entries/models/anthropic.ts',
  'entries/models/gemini.ts',
  'entries/models/openai.ts',
  'entries/patterns.ts',
  'entries/bridge.ts',
  'entries/otel.ts',
  'entries/testing.ts',
  'entries/adapters/ai-sdk.ts',
  'entries/adapters/anthropic.ts',
  'entries/adapters/gemini.ts',
  'entries/adapters/langchain.ts',
  'entries/adapters/openai.ts',
  'entries/adapters/openai-agents.ts',
  'entries/extensions/tasks.ts',
  'entries/extensions/skills.ts',
];

/** The only files that may import a Node builtin. */
export const nodeFiles: readonly RegExp[] = [
  /^channels\/(stdio-|child)[^/]*\.ts$/,
  /^channels\/node-http[^/]*\.ts$/,
  /^extensions\/skills\/skill-folder\.ts$/,
  /^cli\//,
];

/** The one file that may ask the running process for a builtin instead of importing it. */
export const builtinAsker = 'channels/http-transport-node.ts';

/** Published programs that list and call the tools of our server: how each is told to, and how it is understood. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PeerName } from '../peers.ts';
import type { Ran } from '../run-program.ts';
import type { Way } from './driver.ts';

/** What a program saw; `sum` is the structured data of `add` for 20 and 22, or its text. */
export interface Seen {
  readonly tools: readonly string[];
  readonly sum: unknown;
}

export interface Visit {
  readonly way: Way;
  /** A folder of this visit, and the home of the program. */
  readonly folder: string;
  /** Runs the program with these arguments; rejects when it fails. */
  run(...args: readonly string[]): Promise<Ran>;
}

export interface Visitor {
  readonly id: string;
  readonly peer: PeerName;
  /** Below the peer's folder. */
  readonly program: string;
  /** Another Node than the one under test, for programs that want it. */
  readonly node?: 'node-22' | 'node-24';
  readonly mode: string;
  /** What it speaks with our server. */
  readonly revision: string;
  visit(visit: Visit): Promise<Seen>;
}

interface Listed {
  readonly tools: readonly { readonly name: string }[];
}
interface Called {
  readonly structuredContent?: unknown;
}

const namesOf = ({ tools }: Listed): readonly string[] => tools.map(({ name }) => name);
const parse = <T>({ stdout }: Ran): T => JSON.parse(stdout) as T;

/** The inspector, in the words of its command mode; `extra` stands in both runs, `strict` in the listing alone. */
function inspect(extra: readonly string[], strict: readonly string[] = []): Visitor['visit'] {
  return async ({ way, run }) => {
    const target = way.kind === 'stdio' ? [way.command, ...way.args] : [way.url, '--transport', 'http'];
    const listed = await run('--cli', ...target, ...extra, '--method', 'tools/list', ...strict);
    if (strict.length > 0 && listed.stderr !== '') throw new Error(`it found fault: ${listed.stderr}`);
    const call = ['--method', 'tools/call', '--tool-name', 'add', '--tool-arg', 'a=20', 'b=22'];
    const called = parse<Called>(await run('--cli', ...target, ...extra, ...call));
    return { tools: namesOf(parse<Listed>(listed)), sum: called.structuredContent };
  };
}

function useAiSdk(options: object): Visitor['visit'] {
  return async ({ way, run }) => {
    const { tools, result } = parse<Listed & { readonly result: Called }>(
      await run(JSON.stringify({ ...way, options })),
    );
    return { tools: namesOf({ tools }), sum: result.structuredContent };
  };
}

const useMcporter: Visitor['visit'] = async ({ way, run }) => {
  const target =
    way.kind === 'stdio'
      ? ['--stdio', [way.command, ...way.args].join(' ')]
      : ['--http-url', way.url, '--allow-http'];
  const listed = parse<Listed>(await run('list', ...target, '--json'));
  const sum = parse<unknown>(await run('call', ...target, 'add', 'a=20', 'b=22'));
  return { tools: namesOf(listed), sum };
};

/** It gives a process of its own five seconds to start, too few on a busy machine; then it is told again. */
async function connectMcpc(run: Visit['run'], target: string, session: string): Promise<void> {
  for (let left = 20; ; left -= 1) {
    try {
      await run('connect', target, session);
      return;
    } catch (error) {
      if (left === 0 || !String(error).includes('socket file not created within timeout')) throw error;
    }
  }
}

const useMcpc: Visitor['visit'] = async ({ way, folder, run }) => {
  const file = join(folder, 'servers.json');
  const ours = way.kind === 'stdio' ? { command: way.command, args: way.args } : { url: way.url };
  await writeFile(file, JSON.stringify({ mcpServers: { ours } }));
  await connectMcpc(run, `${file}:ours`, '@ours');
  try {
    const tools = parse<Listed['tools']>(await run('@ours', 'tools-list', '--json'));
    const called = parse<Called>(await run('@ours', 'tools-call', 'add', 'a:=20', 'b:=22', '--json'));
    return { tools: namesOf({ tools }), sum: called.structuredContent };
  } finally {
    await run('close', '@ours');
  }
};

const [handshake, stateless] = ['2025-11-25', '2026-07-28'];
const bin = (name: string): string => `node_modules/.bin/${name}`;

const inspector2 = { peer: 'inspector-2', program: bin('mcp-inspector'), node: 'node-22' } as const;
const aiSdk2 = { peer: 'ai-sdk-2', program: 'client.mjs', node: 'node-22' } as const;

export const visitors: readonly Visitor[] = [
  {
    id: 'inspector 0.15',
    peer: 'inspector-0',
    program: bin('mcp-inspector'),
    mode: 'default',
    revision: handshake,
    visit: inspect([]),
  },
  ...[
    ['legacy', handshake],
    ['auto', stateless],
    ['modern', stateless],
  ].map(([mode = '', revision = '']) => ({
    id: 'inspector 2.12',
    ...inspector2,
    mode: `--protocol-era ${mode} --strict`,
    revision,
    visit: inspect(['--protocol-era', mode], ['--strict']),
  })),
  {
    id: 'ai-sdk 1',
    peer: 'ai-sdk-1',
    program: 'client.mjs',
    mode: 'default',
    revision: handshake,
    visit: useAiSdk({}),
  },
  { id: 'ai-sdk 2', ...aiSdk2, mode: 'default', revision: stateless, visit: useAiSdk({}) },
  {
    id: 'ai-sdk 2',
    ...aiSdk2,
    mode: 'without discovery',
    revision: handshake,
    visit: useAiSdk({ protocolVersionDiscovery: false }),
  },
  {
    id: 'mcporter',
    peer: 'mcporter',
    program: bin('mcporter'),
    node: 'node-24',
    mode: 'default',
    revision: handshake,
    visit: useMcporter,
  },
  {
    id: 'mcpc',
    peer: 'mcpc',
    program: bin('mcpc'),
    mode: 'default',
    revision: handshake,
    visit: useMcpc,
  },
];

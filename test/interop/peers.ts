/** The published peers: where they are, how they are started, and skipping by name when one is not installed. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { runProgram } from './run-program.ts';

export type PeerName =
  | 'adapters'
  | 'reference-servers'
  | 'sdk-v1'
  | 'sdk-v2'
  | 'another'
  | 'inspector-0'
  | 'inspector-2'
  | 'ai-sdk-1'
  | 'ai-sdk-2'
  | 'mcporter'
  | 'mcpc'
  | 'mcp-remote'
  | 'supergateway'
  | 'mcp-proxy'
  | 'node-22'
  | 'node-24';

const home = fileURLToPath(new URL('../peers/', import.meta.url));

/** A file of a peer, such as its `server.mjs` or one below its node_modules. */
export const fileOf = (peer: PeerName, path: string): string => `${home}${peer}/${path}`;

/** `describe`, skipped with the remedy in its name when the peer is not installed. */
export function describePeer(peer: PeerName, title: string, body: () => void): void {
  const installed = existsSync(fileOf(peer, 'node_modules'));
  describe.skipIf(!installed)(
    installed ? title : `${title} (not installed: node scripts/peers.mjs ${peer})`,
    body,
  );
}

export interface PlannedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborts the call at its first progress. */
  readonly cancel?: boolean;
}

export interface Seen {
  readonly revision: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string;
    readonly inputSchema: unknown;
  }[];
  readonly results: readonly {
    readonly content?: readonly { readonly type: string; readonly text?: string }[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly thrown?: string;
    readonly code?: number;
    readonly progress: readonly unknown[];
  }[];
}

/** Lets an official client connect to a server, list its tools and call them; resolves with what it saw. */
export async function runOfficialClient(
  client: readonly ['sdk-v1'] | readonly ['sdk-v2', ('auto' | (string & {}))?],
  server: {
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd?: string;
    /** Variables beside the few that the client passes on by itself. */
    readonly env?: Readonly<Record<string, string>>;
  },
  calls: readonly PlannedCall[],
): Promise<Seen> {
  const [peer, mode] = client;
  const { command, args, cwd, env } = server;
  const plan = JSON.stringify({ command, args, env, calls });
  const { stdout } = await runProgram(
    process.execPath,
    [fileOf(peer, 'client.mjs'), plan, ...(mode === undefined ? [] : [mode])],
    cwd === undefined ? {} : { cwd },
  );
  return JSON.parse(stdout) as Seen;
}

/** Runs the text of a module among the packages of a peer; what it printed as JSON. */
export async function runAmong(peer: PeerName, source: string): Promise<unknown> {
  const args = ['--input-type=module', '-e', source];
  return JSON.parse((await runProgram(process.execPath, args, { cwd: fileOf(peer, '') })).stdout) as unknown;
}

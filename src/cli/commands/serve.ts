/** `tenon serve`: what a configuration allows as MCP tools, or two patterns without one, over stdio or HTTP. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { memoryStore } from '../../basics/state-store.ts';
import { version } from '../../basics/version.ts';
import { Connections } from '../../bridge/allow-list/connections.ts';
import { Server } from '../../server/server.ts';
import { seeHelp } from '../arguments.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { checkReach, readToken, usualTokenName } from '../server/access-token.ts';
import { secretsOf, secretsOfEnvironment } from '../server/entry-secrets.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type Listening, leaveProcess, serveOverHttp, serveOverStdio } from '../server/listen.ts';
import { type Address, namesPort, readAddress } from '../server/read-address.ts';
import { openRecordingOf } from '../server/use-server.ts';
import type { Terminal } from '../terminal.ts';
import { checkFile } from './serve/check-file.ts';
import { connectThrough, offerConfigured } from './serve/offer-configured.ts';
import { offerUsual } from './serve/offer-usual.ts';
import type { Offered } from './serve/offered.ts';
import { type ReadFile, readServedFile, tellFaults, usualFile } from './serve/read-file.ts';
import { namesOf } from './serve/summary.ts';
import { watchConfig } from './serve/watch-config.ts';

const see = 'tenon serve';

const help = `Usage: tenon serve [config] [options]

Serves what a file allows as MCP tools: patterns, agents, and for these tools of
other servers. Without [config]: tenon.config.json in this folder; if there is
none, consensus and react_loop are served.

Options:
  -h, --help          Show this
  --http [host:port]  Serve over HTTP instead of standard input and output; on
                      127.0.0.1 and any free port unless given
  --token-env <name>  The variable with the bearer token of callers over HTTP;
                      TENON_TOKEN. Without one only this machine is served
  --check             Only say what is wrong with the file; with --json as JSON
  --watch             Take over what changes in the file while it is served
  --record <file>     Write every call, what happens in it, and what is said to
                      and by the servers that are used; see tenon trace

What names no model uses the one that TENON_MODEL names, name or provider:name,
at TENON_BASE_URL, such as http://localhost:11434/v1, with TENON_API_KEY as key.

Exit codes: 0 the client left, 1 failed, 2 wrong use or a faulty file,
130 interrupted, 143 terminated.`;

export const serveCommand: Command = {
  help,
  options: {
    http: { type: 'boolean' },
    'token-env': { type: 'string' },
    check: { type: 'boolean' },
    json: { type: 'boolean' },
    watch: { type: 'boolean' },
    record: { type: 'string' },
  },
  operands: { most: 2, commandLine: false },
  async run(given, terminal) {
    const { config, address } = readPlace(given);
    const surroundings = { environment: process.env, folder: process.cwd(), home: homedir() };
    const again = (): Promise<ReadFile | undefined> => readServedFile(config, surroundings);
    const read = await again();
    if (given.values['check'] === true) {
      if (given.values['watch'] === true)
        throw new UsageError(`--watch goes without --check. ${seeHelp(see)}`);
      return checkFile(read, { json: given.values['json'] === true, terminal, see });
    }
    if (given.values['json'] === true) {
      throw new UsageError(`--json goes with --check: what is served has no result. ${seeHelp(see)}`);
    }
    if (read?.ok === false) throw new UsageError(tellFaults(read));
    const token = tokenFor(given, address);
    const file = resolve(config ?? usualFile);
    return serveUntilTheEnd({ given, terminal, file, read, again, address, token });
  },
};

type Read = Extract<ReadFile, { ok: true }>;

interface Serving {
  readonly given: Given;
  readonly terminal: Terminal;
  /** The file, whether it is there or not. */
  readonly file: string;
  readonly read: Read | undefined;
  readonly again: () => Promise<ReadFile | undefined>;
  /** Nothing for standard input and output. */
  readonly address: Address | undefined;
  readonly token: string | undefined;
}

async function serveUntilTheEnd(serving: Serving): Promise<number> {
  const { given, terminal, read, again, address, token } = serving;
  // Grows when a file that is taken over names others.
  const secrets = [...secretsOfServed(read, token)];
  const recording = await openRecordingOf(see, given, terminal, secrets);
  const calls = recording?.calls;
  const { env: environment } = process;
  const connect = connectThrough((name, channel) => recording?.recorder.channel(name, channel) ?? channel);
  const isWatched = given.values['watch'] === true;
  const connections = isWatched ? new Connections(connect) : undefined;
  const facts = { environment, terminal, calls, connect, connections };
  const waiting = isWatched ? memoryStore({ entries: 10_000 }) : undefined;
  const offer = (found: Read): Promise<Offered> => offerConfigured({ ...facts, read: found, waiting });
  const first = read === undefined ? await offerUsual(environment, terminal, calls) : await offer(read);
  const live =
    connections &&
    watchConfig({
      ...{ file: serving.file, first, firstRead: read, connections, terminal },
      async read() {
        const found = await again();
        if (found?.ok === true) secrets.push(...secretsOfServed(found, token));
        return found;
      },
      offer,
    });
  const offered = live?.first ?? first;
  try {
    const listening = listeningTo(offered, terminal);
    live?.begin(listening.server);
    if (address === undefined) return await serveOverStdio(listening);
    return await runInterruptible(signal => serveOverHttp(listening, address, token, signal));
  } finally {
    await offered.close();
    recording?.close();
    leaveProcess();
  }
}

/** What a recording must not hold. */
function secretsOfServed(read: Serving['read'], token: string | undefined): readonly string[] {
  const { models = {}, servers = {} } = read?.config ?? {};
  const keys = [token, ...Object.values(models).map(({ apiKey }) => apiKey)];
  return [
    ...keys.filter(each => each !== undefined).filter(each => each.trim() !== ''),
    ...secretsOfEnvironment(process.env),
    ...Object.values(servers).flatMap(({ entry }) => secretsOf(entry, {})),
  ];
}

/** A server of what is offered, which says so once it can be reached; standard output may belong to the protocol. */
export function listeningTo(
  { about, tools, note, lines }: Offered,
  terminal: Pick<Terminal, 'warn'>,
): Listening & { readonly server: Server } {
  return {
    server: new Server({ ...about, version, tools }),
    see,
    terminal,
    announce: where =>
      terminal.warn([`tenon ${version} serves ${namesOf(tools)} ${where}${note}`, ...lines].join('\n')),
  };
}

/** What was typed, in either order: both may stand behind `--http`. */
function readPlace({ values, words }: Given): {
  readonly config: string | undefined;
  readonly address: Address | undefined;
} {
  if (values['http'] !== true) {
    const [config, extra] = words;
    if (extra === undefined) return { config, address: undefined };
    throw new UsageError(`${JSON.stringify(extra)} is a word too many. ${seeHelp(see)}`);
  }
  const place = words.find(namesPort) ?? words.find(word => !looksLikeFile(word));
  const [config, extra] = words.filter(word => word !== place);
  if (extra !== undefined) throw new UsageError(`--http takes no file as address. ${seeHelp(see)}`);
  return { config, address: readAddress(place, seeHelp(see)) };
}

/** A host has no separators of folders and does not end like one. */
function looksLikeFile(word: string): boolean {
  return /[\\/]|\.jsonc?$/i.test(word);
}

function tokenFor({ values }: Given, address: Address | undefined): string | undefined {
  const { 'token-env': named } = values;
  if (address === undefined) {
    if (named === undefined) return undefined;
    throw new UsageError(`--token-env goes with --http: over stdio there is one caller. ${seeHelp(see)}`);
  }
  const name = typeof named === 'string' ? named : usualTokenName;
  const token = readToken(process.env, name);
  if (named !== undefined && token === undefined) {
    throw new UsageError(`--token-env names the variable ${name}, which is not set. ${seeHelp(see)}`);
  }
  checkReach(see, address, token, name);
  return token;
}

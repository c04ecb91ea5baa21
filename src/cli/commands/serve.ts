/** `tenon serve`: what a configuration allows as MCP tools, or two patterns without one, over stdio or HTTP. */
import { homedir } from 'node:os';
import { version } from '../../basics/version.ts';
import type { Channel } from '../../channels/channel.ts';
import { Server } from '../../server/server.ts';
import { seeHelp } from '../arguments.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { checkReach, readToken, usualTokenName } from '../server/access-token.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type Listening, leaveProcess, serveOverHttp, serveOverStdio } from '../server/listen.ts';
import { type Address, namesPort, readAddress } from '../server/read-address.ts';
import { openRecordingOf } from '../server/use-server.ts';
import type { Terminal } from '../terminal.ts';
import { checkFile } from './serve/check-file.ts';
import { offerConfigured } from './serve/offer-configured.ts';
import { offerUsual } from './serve/offer-usual.ts';
import type { Offered } from './serve/offered.ts';
import { type ReadFile, readServedFile, tellFaults } from './serve/read-file.ts';
import { namesOf } from './serve/summary.ts';

const see = 'tenon serve';

const help = `Usage: tenon serve [config] [options]

Serves what a file allows as MCP tools: patterns, agents, and for these tools of
other servers. Without [config] the file is tenon.config.json in this folder; if
there is none, consensus and react_loop are served.

Options:
  -h, --help          Show this
  --http [host:port]  Serve over HTTP instead of standard input and output; on
                      127.0.0.1 and any free port unless given
  --token-env <name>  The variable that holds the bearer token of callers over
                      HTTP; TENON_TOKEN unless given. Without a token only this
                      machine can be served
  --check             Only say what is wrong with the file; with --json as JSON
  --record <file>     Write what is said to and by the servers whose tools are
                      used to a file, see tenon trace

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
    record: { type: 'string' },
  },
  operands: { most: 2, commandLine: false },
  async run(given, terminal) {
    const { config, address } = readPlace(given);
    const surroundings = { environment: process.env, folder: process.cwd(), home: homedir() };
    const read = await readServedFile(config, surroundings);
    if (given.values['check'] === true) {
      return checkFile(read, { json: given.values['json'] === true, terminal, see });
    }
    if (given.values['json'] === true) {
      throw new UsageError(`--json goes with --check: what is served has no result. ${seeHelp(see)}`);
    }
    if (read?.ok === false) throw new UsageError(tellFaults(read));
    const token = tokenFor(given, address);
    return serveUntilTheEnd({ given, terminal, read, address, token });
  },
};

interface Serving {
  readonly given: Given;
  readonly terminal: Terminal;
  readonly read: Extract<ReadFile, { ok: true }> | undefined;
  /** Nothing for standard input and output. */
  readonly address: Address | undefined;
  readonly token: string | undefined;
}

async function serveUntilTheEnd({ given, terminal, read, address, token }: Serving): Promise<number> {
  const recording = await openRecordingOf(see, given, terminal, secretsOf(read, token));
  const between = (name: string, channel: Channel): Channel =>
    recording?.recorder.channel(name, channel) ?? channel;
  const { env: environment } = process;
  const offered =
    read === undefined
      ? await offerUsual(environment, terminal)
      : await offerConfigured({ read, environment, terminal, between });
  try {
    const listening = listeningTo(offered, terminal);
    if (address === undefined) return await serveOverStdio(listening);
    return await runInterruptible(signal => serveOverHttp(listening, address, token, signal));
  } finally {
    await offered.close();
    recording?.close();
    leaveProcess();
  }
}

/** What a recording must not hold. */
function secretsOf(read: Serving['read'], token: string | undefined): readonly string[] {
  const keys = Object.values(read?.config.models ?? {}).map(({ apiKey }) => apiKey);
  const all = [token, process.env['TENON_API_KEY'], ...keys];
  return all.filter(each => each !== undefined).filter(each => each.trim() !== '');
}

/** A server of what is offered, which says so once it can be reached; standard output may belong to the protocol. */
export function listeningTo(
  { about, tools, note, lines }: Offered,
  terminal: Pick<Terminal, 'warn'>,
): Listening {
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

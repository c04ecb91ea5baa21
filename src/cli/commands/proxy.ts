/** `tenon proxy`: a stdio server over HTTP, a remote server over stdio, and either in every era. */
import { messageOf } from '../../basics/failure.ts';
import { version } from '../../basics/version.ts';
import { proxy } from '../../bridge/proxy/proxy.ts';
import { connect } from '../../client/client.ts';
import { seeHelp } from '../arguments.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { checkReach, readToken, usualTokenName } from '../server/access-token.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { type Listening, serveOverHttp, serveOverStdio } from '../server/listen.ts';
import { splitServer } from '../server/operands.ts';
import { type Address, namesPort, readAddress } from '../server/read-address.ts';
import { chooseServer } from '../server/server-target.ts';
import { openRecordingOf, readTimeouts } from '../server/use-server.ts';

const see = 'tenon proxy';

const help = `Usage: tenon proxy <server> [options]
       tenon proxy --http [host:port] [options] -- command [arguments]

Serves a server to clients that could not use it: a program over HTTP, a remote
server over standard input and output, an old one to new clients and the other
way round. Each session of a client gets a process or connection of its own.

<server> is a URL, or a name from .mcp.json here or from editors' files.

Options:
  -h, --help          Show this
  --http [host:port]  Serve over HTTP instead of standard input and output; on
                      127.0.0.1 and any free port unless given. With TENON_TOKEN
                      callers must send it; without, only this machine may call
  --max-children <n>  Processes or connections at once; 32. Others are refused
  --idle <s>          Close what nobody used for so many seconds; 300
  --share             One connection for all; for servers that remember nothing
  --config <file>     Look for <server> there alone
  --timeout <s>       Seconds to wait for a start; 60 unless given
  --record <file>     Write every message to a file, see tenon trace

Exit codes: 0 the client left, 1 failed, 2 wrong use, 130 interrupted,
143 terminated.`;

export const proxyCommand: Command = {
  help,
  options: {
    http: { type: 'boolean' },
    'max-children': { type: 'string' },
    idle: { type: 'string' },
    share: { type: 'boolean' },
    config: { type: 'string' },
    timeout: { type: 'string' },
    record: { type: 'string' },
  },
  operands: { most: 2, commandLine: true },
  async run(given, terminal) {
    const { server, rest } = splitServer(inOrder(given));
    const address = readPlace(given, rest);
    const token = takeToken();
    if (address) checkReach(see, address, token, usualTokenName);
    const { channel, secrets } = await chooseServer(see, server, terminal.warn);
    const options = readLimits(given);
    const recording = await openRecordingOf(see, given, terminal, [
      ...(token === undefined ? [] : [token]),
      ...secrets,
    ]);
    const behind = recording?.recorder.channel(channel.label, channel) ?? channel;
    const middle = proxy(client => connect(behind, client), {
      ...options,
      // Without a token only this machine is served.
      alike: true,
      onFault: (message, cause) => terminal.warn(`${see}: ${describe(message, cause)}`),
    });
    const announce = (where: string): void =>
      terminal.warn(`tenon ${version} serves ${channel.label} ${where}`);
    const listening: Listening = { server: middle, see, terminal, announce };
    try {
      if (!address) return await serveOverStdio(listening);
      return await runInterruptible(signal => serveOverHttp(listening, address, token, signal));
    } finally {
      await middle.close();
      recording?.close();
    }
  },
};

/** With the server before the address, as both may stand behind `--http`. */
function inOrder(given: Given): Given {
  const [first = '', second] = given.words;
  const turned = given.commandLine === undefined && second !== undefined && namesPort(first);
  return turned ? { ...given, words: [second, first] } : given;
}

/** Where to listen; nothing for standard input and output. */
function readPlace({ values }: Given, rest: readonly string[]): Address | undefined {
  const [text, ...more] = rest;
  const extra = values['http'] === true ? more[0] : text;
  if (extra !== undefined) {
    throw new UsageError(`${JSON.stringify(extra)} is a word too many. ${seeHelp(see)}`);
  }
  return values['http'] === true ? readAddress(text, seeHelp(see)) : undefined;
}

/** What runs behind the proxy inherits the environment, and has no business with the token. */
function takeToken(): string | undefined {
  const token = readToken(process.env);
  delete process.env[usualTokenName];
  return token;
}

function readLimits(given: Given): Parameters<typeof proxy>[1] {
  const { values } = given;
  const children = readNumber(
    'max-children',
    values['max-children'],
    'a whole number from 1',
    Number.isInteger,
  );
  const idle = readNumber('idle', values['idle'], 'seconds above 0', Number.isFinite);
  const { connect: start, connectTotal } = readTimeouts(see, given);
  return {
    ...(children === undefined ? {} : { maxUpstreams: children }),
    ...(idle === undefined ? {} : { idle: idle * 1000 }),
    ...(start === undefined ? {} : { timeouts: { connect: start, connectTotal } }),
    share: values['share'] === true,
  };
}

function readNumber(
  name: string,
  text: unknown,
  wanted: string,
  fits: (value: number) => boolean,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (fits(value) && value > 0) return value;
  throw new UsageError(`--${name} must be ${wanted}, got ${JSON.stringify(text)}. ${seeHelp(see)}`);
}

function describe(message: string, cause: unknown): string {
  return cause === undefined ? message : `${message}: ${messageOf(cause)}`;
}

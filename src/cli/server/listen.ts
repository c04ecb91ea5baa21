/** Serves until it is told to end: over HTTP until a signal comes, over stdio until the client leaves. */
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../../basics/clock.ts';
import type { Acceptor, Diagnostic } from '../../channels/channel.ts';
import type { StdioService } from '../../channels/stdio-server.ts';
import type { ServableOverHttp } from '../../server/endpoint.ts';
import { count } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { type Address, isEveryAddress } from './read-address.ts';

export interface Listening {
  readonly server: Acceptor & ServableOverHttp;
  /** The command, for messages. */
  readonly see: string;
  readonly terminal: Pick<Terminal, 'warn'>;
  /** Told once callers can come: `over stdio`, or `at` an address and for whom. */
  readonly announce: (where: string) => void;
}

/** What a shell expects of a program that such a signal ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
/** Characters of a token below which somebody may guess it. */
const shortToken = 16;
/** How long the program may go on by itself after the end before the process is ended, in milliseconds. */
const lastWork = 250;

/** `token` is what callers have to send; anybody may call without one. Resolves with the exit code. */
export async function serveOverHttp(
  { server, see, terminal, announce }: Listening,
  address: Address,
  token: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { serveHttp } = await import('../../channels/node-http-serve.ts');
  const { overHttp } = await import('../../server/over-http.ts');
  const { bearer } = await import('../../channels/http-server-auth.ts');
  // Before anybody is told that it serves, and may end it.
  const ended = told(signal);
  const service = await serveHttp(overHttp(server), {
    ...address,
    ...(token === undefined ? {} : { authenticate: bearer({ caller: token }), allowedHosts: '*' }),
    onDiagnostic: diagnostic => tell(see, terminal, diagnostic),
  });
  if (token !== undefined && token.length < shortToken) {
    terminal.warn(
      `${see}: the token has ${count(token.length, 'character')}, which can be guessed; take ${shortToken} or more, such as openssl rand -hex 32 gives`,
    );
  }
  const reach = isEveryAddress(address.host) ? `, and at every other address of this machine` : '';
  announce(`at ${service.url}${reach}${token === undefined ? '' : ', for callers that send the token'}`);
  const code = await ended;
  await service.close();
  return code;
}

/** Serves one client; what stands behind has to be ended after that, then `leaveProcess` sees to the rest. */
export async function openOverStdio(
  { server, see, terminal, announce }: Listening,
  streams: { readonly input?: Readable; readonly output?: Writable } = {},
): Promise<StdioService> {
  const { serveStdioOn } = await import('../../channels/stdio-server.ts');
  const service = serveStdioOn(server, {
    ...streams,
    exit: false,
    onDiagnostic: diagnostic => tell(see, terminal, diagnostic),
  });
  announce('over stdio');
  return service;
}

/** Resolves with the exit code. */
export async function serveOverStdio(listening: Listening): Promise<number> {
  holdSignals();
  const service = await openOverStdio(listening);
  await service.closed;
  return 0;
}

/** Ends the process when something of its own still keeps it, with the code that it was given. */
export function leaveProcess(): void {
  systemClock.after(lastWork, () => process.exit());
}

/** Until everything behind is ended a signal must not end the process before it; a second one ends it at once. */
function holdSignals(): void {
  const seen = new Set<string>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (seen.has(name)) process.exit(exitCodes[name]);
      seen.add(name);
    });
  }
}

/** Listens for good: without a listener of ours the signal would end the process before what stands behind. */
function told(signal: AbortSignal): Promise<number> {
  return new Promise(resolve => {
    let again = false;
    process.on('SIGTERM', () => {
      if (again) process.exit(exitCodes.SIGTERM);
      again = true;
      resolve(exitCodes.SIGTERM);
    });
    signal.addEventListener('abort', () => resolve(0), { once: true });
  });
}

function tell(see: string, terminal: Pick<Terminal, 'warn'>, { message }: Diagnostic): void {
  terminal.warn(`${see}: ${message}`);
}

/** A connection to a server that runs as a child process. */
import { messageOf } from '../basics/failure.ts';
import { variableHoldsSecret } from '../basics/secret-names.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Message } from '../rpc/message.ts';
import { codes } from '../rpc/protocol-error.ts';
import type { CloseOptions, Connection, OpenOptions, Receiver } from './channel.ts';
import { Child, type ChildEnd, type ChildListener } from './child.ts';
import { childEnvironment } from './child-environment.ts';
import { makeMark, markName } from './child-mark.ts';
import { type SpawnOptions, spawnProcess, started } from './child-spawn.ts';
import { Tail } from './child-tail.ts';
import { type ChildFacts, closedByUs, failureOfChild, inputBlocked, lineTooLong } from './stdio-failures.ts';
import { Inbound } from './stdio-inbound.ts';
import type { StdioSettings } from './stdio-options.ts';
import { Outbound } from './stdio-outbound.ts';

/** What may wait for a server that does not read; see `Outbound`. */
const backlogLimit = 64 * 1024 * 1024;

/** Starts the process and connects to it. */
export async function openChild(
  settings: StdioSettings,
  label: string,
  receiver: Receiver,
  { signal, clock }: OpenOptions,
): Promise<Connection> {
  signal?.throwIfAborted();
  const { platform } = process;
  const mark = makeMark(process.env[markName]);
  const own = { [markName]: mark.value, ...settings.env };
  const spawning: SpawnOptions = {
    command: settings.command,
    args: settings.args,
    cwd: settings.cwd,
    env: childEnvironment({ platform, from: process.env, inherit: settings.inheritEnv, own }),
    stderr: settings.stderr === 'inherit' ? 'inherit' : 'pipe',
    platform,
  };
  const spawned = spawnProcess(spawning);
  const running = started(spawned, spawning);
  if (!isRunning(spawned)) {
    await running;
    throw new Error('a process without a number cannot have started');
  }
  const connection = new StdioConnection(settings, label, receiver, listener => {
    return new Child(spawned, { clock, grace: settings.grace, platform, mark: mark.id }, listener);
  });
  await running;
  if (signal?.aborted === true) {
    await connection.abort();
    throw signal.reason;
  }
  return connection;
}

type Spawned = ReturnType<typeof spawnProcess>;

function isRunning(spawned: Spawned): spawned is Spawned & ConstructorParameters<typeof Child>[0] {
  return spawned.pid !== undefined && spawned.stdin !== null && spawned.stdout !== null;
}

class StdioConnection implements Connection {
  readonly replyStreams: boolean = false;
  readonly #settings: StdioSettings;
  readonly #label: string;
  readonly #receiver: Receiver;
  readonly #child: Child;
  readonly #inbound: Inbound;
  readonly #outbound: Outbound;
  readonly #tail: Tail;
  #closed = false;

  constructor(
    settings: StdioSettings,
    label: string,
    receiver: Receiver,
    start: (listener: ChildListener) => Child,
  ) {
    this.#settings = settings;
    this.#label = label;
    this.#receiver = receiver;
    this.#tail = new Tail(secretsOf(settings.env));
    this.#inbound = new Inbound(receiver, settings.lineLimit, () =>
      this.#fail(lineTooLong(settings.lineLimit, this.#facts())),
    );
    this.#child = start({
      output: chunk => this.#inbound.push(chunk),
      errorOutput: chunk => this.#errorOutput(chunk),
      ended: end => this.#ended(end),
    });
    this.#outbound = new Outbound(this.#child.input, {
      limit: backlogLimit,
      overflow: waiting => this.#fail(inputBlocked(waiting, this.#facts())),
    });
  }

  send(message: Message): void {
    if (this.#closed) return;
    try {
      this.#outbound.send(message);
    } catch (error) {
      this.#unprintable(message, messageOf(error));
    }
  }

  abandon(): void {}

  close({ hurry = false }: CloseOptions = {}): Promise<void> {
    this.#finish(closedByUs(this.#label));
    return hurry ? this.#child.hurry() : this.#child.stop();
  }

  /** Ends what was only just started, without a word to the receiver. */
  abort(): Promise<void> {
    this.#closed = true;
    this.#inbound.stop();
    return this.#child.hurry();
  }

  #ended(end: ChildEnd): void {
    const unfinished = this.#inbound.end();
    this.#finish(failureOfChild(end, { ...this.#facts(), unfinished }));
  }

  #fail(error: ConnectionError): void {
    this.#finish(error);
    void this.#child.stop();
  }

  /** What was sent before is still written; the receiver hears of the end and of nothing after it. */
  #finish(error: ConnectionError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#inbound.stop();
    this.#outbound.end();
    this.#receiver.closed(error);
  }

  #errorOutput(chunk: Uint8Array): void {
    const text = this.#tail.push(chunk);
    const { stderr } = this.#settings;
    if (typeof stderr === 'function' && text !== '') this.#tell(stderr, text);
    if (!this.#closed) this.#receiver.activity('stderr');
  }

  #tell(listener: (chunk: string) => void, text: string): void {
    try {
      listener(text);
    } catch (error) {
      if (this.#closed) return;
      const message = `the stderr function given to stdio threw: ${messageOf(error)}`;
      this.#receiver.diagnostic({ kind: 'stderr-listener', message });
    }
  }

  /** What there is no JSON for concerns one message, not the connection: whoever waits for an answer gets it. */
  #unprintable(message: Message, why: string): void {
    const what = `the message was not sent: it ${why}`;
    const id = 'id' in message ? message.id : undefined;
    if (id === undefined || id === null) {
      this.#receiver.diagnostic({ kind: 'unprintable-message', message: what });
      return;
    }
    const answer: Message = { jsonrpc: '2.0', id, error: { code: codes.internalError, message: what } };
    if (!('method' in message)) this.#outbound.send(answer);
    else {
      process.nextTick(() => {
        if (!this.#closed) this.#receiver.message(answer);
      });
    }
  }

  #facts(): ChildFacts {
    const stderrTail = this.#settings.stderr === 'inherit' ? undefined : this.#tail.read();
    return { label: this.#label, stderrTail, heard: this.#inbound.heard, unfinished: 0 };
  }
}

/** Values that must not come back in an error when the server prints them. */
function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env)
    .filter(([name]) => variableHoldsSecret(name))
    .map(([, value]) => value ?? '')
    .filter(value => value.length >= 6);
}

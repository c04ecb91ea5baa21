/**
 * The server's end of stdio: lines in, lines out, and an end that leaves nothing running. What the messages mean is
 * the acceptor's business.
 */
import type { Readable, Writable } from 'node:stream';
import { type Clock, systemClock } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { parseJson, printMessage } from '../basics/json.ts';
import { LineSplitter } from '../basics/lines.ts';
import { checkHas } from '../basics/option-checks.ts';
import { ConnectionError } from '../rpc/connection-error.ts';
import type { Message } from '../rpc/message.ts';
import type { Acceptor, Diagnostic, Exchange, Inlet } from './channel.ts';
import { Drain } from './stdio-drain.ts';
import { guardStdout } from './stdio-stdout.ts';
import { LineWriter } from './stdio-writer.ts';
import { replacementFor } from './unprintable.ts';

export interface StdioServerOptions {
  /** Where messages come from; `process.stdin` unless said. */
  readonly input?: Readable | undefined;
  /** Where messages go; `process.stdout` unless said. It stays open at the end. */
  readonly output?: Writable | undefined;
  /** The most bytes a line may have; 32 MiB unless said. A longer one is answered with an error and skipped. */
  readonly lineLimit?: number | undefined;
  /** How deep JSON may nest; 512 unless said. */
  readonly depth?: number | undefined;
  /** How many milliseconds running calls get, once the client has left, before they are aborted; 2,000 unless said. */
  readonly drain?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Sends to stderr what others write to standard output meanwhile; true when `output` is `process.stdout`. */
  readonly guardStdout?: boolean | undefined;
  /** Ends the process, with code 0, when the client has left; true when `input` is `process.stdin`. */
  readonly exit?: boolean | undefined;
  /**
   * Takes SIGTERM and SIGINT as the end, with a drain of at most 500 ms; a second one ends the process at once. True
   * when `input` is `process.stdin`.
   */
  readonly signals?: boolean | undefined;
  /** Told of lines that could not be read and messages that could not be written. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** One client being served. */
export interface StdioService {
  /** Resolves when all is over: calls settled or given up, output flushed, listeners removed. Never rejects. */
  readonly closed: Promise<void>;
  /** Ends serving as if the client had left, except that the process goes on. Resolves with `closed`. */
  close(): Promise<void>;
}

/**
 * What may wait for a client that does not read, in characters; then it is given up. Calls stop being started long before,
 * so that only very large answers of all that run together come near it.
 */
const mostBacklog = 512 * 1024 * 1024;
/** The longest drain, in milliseconds, when nobody reads answers any more or the process was told to end. */
const shortDrain = 500;
/** The least time, in milliseconds, that output gets to be read at the end. */
const leastFlush = 250;
/** How long the program may go on by itself after the end before the process is ended, in milliseconds. */
const lastWork = 250;

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Serves one client on a pair of streams, the process's own unless said, until it leaves. */
export function serveStdioOn(acceptor: Acceptor, options: StdioServerOptions = {}): StdioService {
  checkHas(
    'serveStdio',
    'the first argument',
    acceptor,
    'accept',
    'what to serve, such as new Server({ … })',
  );
  const { input = process.stdin, output = process.stdout, clock = systemClock, drain = 2000 } = options;
  const { lineLimit = 33_554_432, depth = 512, onDiagnostic } = options;
  const ownsProcess = input === process.stdin;
  const guard = (options.guardStdout ?? output === process.stdout) ? guardStdout() : undefined;

  const writer = new LineWriter(output, {
    ...(guard !== undefined && output === process.stdout
      ? { write: (text, done) => guard.write(text, 'utf8', done) }
      : {}),
    broken: error =>
      end(lost('write', 'broken-pipe', `the client stopped reading: ${error.message}`), shortDrain),
  });
  const exchange: Exchange = {
    send,
    get backlog() {
      return writer.over ? Number.POSITIVE_INFINITY : writer.backlog;
    },
    onTaken: (most, taken) => writer.onTaken(most, taken),
  };
  const inlet = accept();
  const ending = new Drain(inlet, clock);
  let ended = false;
  let exits = options.exit ?? ownsProcess;
  let finished = (): void => {};
  const closed = new Promise<void>(resolve => {
    finished = resolve;
  });

  const reading = { depth };
  const lines = new LineSplitter({
    limit: lineLimit,
    line(text, bytes) {
      const parsed = parseJson(text, reading);
      if (!parsed.ok) {
        unreadable(parsed.reason, { bytes, sample: text.slice(0, 80) });
        return;
      }
      try {
        inlet.receive(parsed.value, exchange, bytes);
      } catch (error) {
        unhandled(error);
      }
    },
    fault({ kind, bytes, sample }) {
      const reason =
        kind === 'too-long' ? `the line has more than ${lineLimit} bytes` : 'the line is not UTF-8';
      unreadable(reason, { bytes, sample });
    },
  });

  const heard = (chunk: Uint8Array | string): void =>
    lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const inputEnded = (): void => {
    lines.end();
    end(lost('read', 'closed', 'the client closed its end of the connection'), drain);
  };
  const inputFailed = (error: Error): void =>
    end(lost('read', 'closed', `reading from the client failed: ${error.message}`), drain);
  const signalled = (signal: keyof typeof exitCodes): void => {
    if (terminated) process.exit(exitCodes[signal]);
    terminated = true;
    end(lost('read', 'terminated', `the server was told to end by ${signal}`), Math.min(drain, shortDrain));
  };
  let terminated = false;
  const takesSignals = options.signals ?? ownsProcess;

  if (takesSignals) process.on('SIGTERM', signalled).on('SIGINT', signalled);
  input.on('error', inputFailed).on('end', inputEnded).on('close', inputEnded);
  // A stream that is over already says so no more.
  if (input.readableEnded || input.destroyed) queueMicrotask(inputEnded);
  else input.on('data', heard);

  return {
    closed,
    close() {
      exits = false;
      end(lost('close', 'closed', 'the server was closed'), drain);
      return closed;
    },
  };

  function accept(): Inlet {
    try {
      return acceptor.accept(exchange, { clock, replyStreams: false });
    } catch (error) {
      writer.stop();
      guard?.release();
      throw error;
    }
  }

  function send(message: Message): void {
    if (writer.over) return;
    let line: string | undefined;
    try {
      line = printMessage(message);
    } catch (error) {
      sendInstead(message, error);
    }
    if (line !== undefined) writer.send(line);
    if (writer.backlog > mostBacklog) {
      const why = `the client does not read: more than ${mostBacklog} characters wait for it`;
      report({ kind: 'unread', message: why });
      writer.stop();
      end(lost('write', 'unread', why), shortDrain);
    }
  }

  function sendInstead(message: Message, error: unknown): void {
    const { line, fault, reply } = replacementFor(message, error);
    if (line !== undefined) writer.send(line);
    report({ kind: 'unprintable', message: fault });
    // Later, because who asks may not be waiting for the answer yet.
    if (reply !== undefined) queueMicrotask(() => guarded(() => inlet.receive(reply, exchange)));
  }

  function unreadable(reason: string, data: { readonly bytes: number; readonly sample: string }): void {
    report({ kind: 'unreadable', message: reason, data });
    guarded(() => inlet.unreadable(reason, exchange));
  }

  function guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      unhandled(error);
    }
  }

  /** An acceptor does not throw; if one does, that must not end the others' calls. */
  function unhandled(error: unknown): void {
    report({ kind: 'internal', message: `a message could not be handled: ${messageOf(error)}` });
  }

  function report(diagnostic: Diagnostic): void {
    try {
      onDiagnostic?.(diagnostic);
    } catch {
      // Who only watches cannot stop the serving.
    }
  }

  /** Once for good; a later cause can only make it sooner. */
  function end(reason: ConnectionError, grace: number): void {
    ending.give(reason, Math.min(grace, drain));
    if (ended) return;
    ended = true;
    input.off('data', heard).off('end', inputEnded).off('close', inputEnded).off('error', inputFailed);
    input.pause();
    void finish();
  }

  async function finish(): Promise<void> {
    await ending.settled;
    await flush();
    writer.stop();
    guard?.release();
    if (takesSignals) process.off('SIGTERM', signalled).off('SIGINT', signalled);
    if (exits) endProcess();
    finished();
  }

  function flush(): Promise<void> {
    return new Promise(resolve => {
      const timer = clock.after(ending.left(leastFlush), resolve, true);
      void writer.flush().then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  /** The process ends by itself when nothing keeps it; a timer of the program's own must not keep it for ever. */
  function endProcess(): void {
    process.exitCode ??= 0;
    clock.after(lastWork, () => process.exit());
  }
}

function lost(phase: string, reason: string, message: string): ConnectionError {
  return new ConnectionError(message, { phase, reason, outcome: 'unknown' });
}

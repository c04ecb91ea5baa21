/** Connects to the server that a command was told to use, and closes it whatever comes of that. */
import { systemClock } from '../../basics/clock.ts';
import type { Diagnostic } from '../../channels/channel.ts';
import { type Client, connect } from '../../client/client.ts';
import type { ClientOptions, Timeouts } from '../../client/options.ts';
import { seeHelp } from '../arguments.ts';
import { type Given, UsageError } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { explainFailure } from './explain-failure.ts';
import { showProgress } from './progress.ts';
import { chooseServer } from './server-target.ts';

export interface UsedServer {
  readonly client: Client;
  /** What the server is called by its configuration or its address. */
  readonly name: string;
  /** What was mended or left out while reading lists; grows. */
  readonly notes: readonly Diagnostic[];
}

export interface ServerUse {
  /** The command, for messages. */
  readonly see: string;
  readonly given: Given;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** What answers the server, by its name. */
  readonly answers?: ((name: string) => Pick<ClientOptions, 'onElicit'>) | undefined;
}

const kept = new Set(['tool-dropped', 'tool-mended', 'odd-list', 'list-cut']);

/** Gives what `work` gives. `--timeout` and `--record` of `given` hold. */
export async function useServer<Result>(
  { see, given, terminal, signal, answers }: ServerUse,
  work: (used: UsedServer) => Promise<Result>,
): Promise<Result> {
  const timeouts = readTimeouts(see, given);
  const { channel, name, secrets } = await chooseServer(see, given, terminal.warn);
  const recording = await openRecordingOf(see, given, terminal, secrets);
  const notes: Diagnostic[] = [];
  const stop = showProgress(terminal, `waiting for ${channel.label}`, systemClock);
  let client: Client | undefined;
  try {
    client = await connect(recording?.recorder.channel(name, channel) ?? channel, {
      ...answers?.(name),
      signal,
      timeouts,
      onDiagnostic: diagnostic => {
        if (kept.has(diagnostic.kind)) notes.push(diagnostic);
      },
    });
    stop();
    return await work({ client, name, notes });
  } catch (error) {
    recording?.recorder.command({ type: 'failure', error });
    throw client === undefined ? explainFailure(error, isConfigured(given)) : error;
  } finally {
    stop();
    await client?.close();
    recording?.close();
  }
}

/** Whether its entry in a configuration says what it gets. */
function isConfigured({ words: [word], commandLine }: Given): boolean {
  return commandLine === undefined && !/^https?:/i.test(word ?? '');
}

/** The limits that `--timeout` sets: on connecting and on each request. */
export function readTimeouts(see: string, { values: { timeout } }: Given): Timeouts {
  if (timeout === undefined) return {};
  const seconds = Number(timeout);
  if (seconds > 0 && seconds < 86_400) {
    const ms = Math.ceil(seconds * 1000);
    return { connect: ms, connectTotal: ms, idle: ms, total: ms };
  }
  throw new UsageError(
    `--timeout must be seconds between 0 and 86,400, got ${JSON.stringify(timeout)}. ${seeHelp(see)}`,
  );
}

/** The recording that `--record` asks for. */
export async function openRecordingOf(
  see: string,
  { values: { record } }: Given,
  terminal: Pick<Terminal, 'warn'>,
  secrets: readonly string[] = [],
): Promise<import('../recording/recording-file.ts').RecordingFile | undefined> {
  if (typeof record !== 'string') return undefined;
  const { openRecording } = await import('../recording/recording-file.ts');
  return openRecording(record, see, terminal, secrets);
}

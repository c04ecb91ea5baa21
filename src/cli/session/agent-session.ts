/** An agent for the terminal, made of what was typed: model, servers, approvals, recording, transcript. */
import { Agent } from '../../agent/agent.ts';
import type { RunEvent } from '../../agent/events.ts';
import { type Toolset, toolset } from '../../bridge/toolset/toolset.ts';
import type { ToolsetOptions } from '../../bridge/toolset/toolset-options.ts';
import { modelFromEnvironment } from '../../models/environment.ts';
import { seeHelp } from '../arguments.ts';
import type { Asker } from '../asking/asker.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import type { Recorder } from '../recording/recorder.ts';
import { secretsOfEnvironment } from '../server/entry-secrets.ts';
import { openRecordingOf, readTimeouts } from '../server/use-server.ts';
import type { Terminal } from '../terminal.ts';
import { approveAt } from './approvals.ts';
import { RunPrinter } from './run-printer.ts';
import { sessionServers } from './session-servers.ts';
import { openTranscript, type Transcript } from './transcript.ts';

/** The options of every command that runs an agent. */
export const sessionOptions: Command['options'] = {
  server: { type: 'string', multiple: true, short: 's' },
  model: { type: 'string', short: 'm' },
  tools: { type: 'string', multiple: true },
  allow: { type: 'string', multiple: true },
  yes: { type: 'boolean', short: 'y' },
  'max-turns': { type: 'string' },
  transcript: { type: 'string' },
  continue: { type: 'string' },
  record: { type: 'string' },
  config: { type: 'string' },
  timeout: { type: 'string' },
};

export interface AgentSession {
  readonly agent: Agent;
  /** What its model is called, and its servers. */
  readonly model: string;
  readonly servers: readonly string[];
  /** Absent where no server was named. */
  readonly tools: Toolset | undefined;
  readonly printer: RunPrinter;
  readonly transcript: Transcript;
  /** Absent where nothing is recorded. */
  readonly recorder: Recorder | undefined;
  /** Ends all that the session has started; never rejects. */
  close(): Promise<void>;
}

export interface SessionUse {
  readonly see: string;
  readonly given: Given;
  readonly terminal: Terminal;
  readonly asker: Asker | undefined;
  /** Whether what the model says is printed as it comes. */
  readonly speaks: boolean;
}

/** Milliseconds for a server's start, which may have to be installed first. */
const startMs = 60_000;

/** Nothing is started yet when it gives the session. Throws a `UsageError` or what a model cannot be made for. */
export async function openSession({
  see,
  given,
  terminal,
  asker,
  speaks,
}: SessionUse): Promise<AgentSession> {
  const { values } = given;
  const maxTurns = readTurns(see, values['max-turns']);
  const timeouts = readTimeouts(see, given);
  const { env } = process;
  const { model: wanted } = values;
  const model = await modelFromEnvironment(
    typeof wanted === 'string' ? { ...env, TENON_MODEL: wanted } : env,
  );
  const transcript = openTranscript(given);
  // Grows with what is known of the servers.
  const secrets = [...secretsOfEnvironment(env)];
  const recording = await openRecordingOf(see, given, terminal, secrets);
  const recorder = recording?.recorder;
  const printer = new RunPrinter(terminal, speaks);
  const servers = await sessionServers({ see, given, terminal, asker, recorder, secrets });
  const tools =
    Object.keys(servers).length === 0
      ? undefined
      : toolset(servers, {
          ...choiceOf(given),
          ...(values['yes'] === true ? {} : approvalOf(given, asker, terminal)),
          loadTimeout: timeouts.connect ?? startMs,
          onEvent: event => {
            recorder?.event(event);
            printer.server(event);
          },
        });
  const agent = new Agent({
    model,
    ...(tools === undefined ? {} : { tools }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    onEvent: (event: RunEvent) => {
      recorder?.event(event);
      printer.event(event);
    },
  });
  const close = async (): Promise<void> => {
    printer.end();
    await tools?.close();
    recording?.close();
  };
  return {
    agent,
    model: model.name,
    servers: Object.keys(servers),
    tools,
    printer,
    transcript,
    recorder,
    close,
  };
}

function choiceOf({ values: { tools } }: Given): Pick<ToolsetOptions, 'filter'> {
  const patterns = patternsOf(tools);
  return patterns.length === 0 ? {} : { filter: patterns };
}

function approvalOf(
  { values: { allow } }: Given,
  asker: Asker | undefined,
  terminal: Terminal,
): Pick<ToolsetOptions, 'approve' | 'needsApproval'> {
  const allowed = patternsOf(allow);
  // As patterns, so that one that means no tool is told.
  const needsApproval = allowed.length === 0 ? '*' : allowed.map(turnRound);
  return { approve: approveAt(asker, terminal), needsApproval };
}

/** A list of these means all that the list of the others does not. */
function turnRound(pattern: string): string {
  return pattern.startsWith('!') ? pattern.slice(1) : `!${pattern}`;
}

function patternsOf(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.flatMap(each => String(each).split(',')) : [];
  return texts.map(each => each.trim()).filter(each => each !== '');
}

function readTurns(see: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const turns = Number(value);
  if (Number.isInteger(turns) && turns >= 1) return turns;
  throw new UsageError(
    `--max-turns must be a whole number from 1, got ${JSON.stringify(value)}. ${seeHelp(see)}`,
  );
}

/** An agent for the terminal, made of what was typed: model, servers, approvals, recording, transcript. */
import { Agent } from '../../agent/agent.ts';
import type { RunEvent } from '../../agent/events.ts';
import { isNamed } from '../../bridge/toolset/tool-filter.ts';
import { type Toolset, toolset } from '../../bridge/toolset/toolset.ts';
import type { ToolsetOptions } from '../../bridge/toolset/toolset-options.ts';
import { modelFromEnvironment } from '../../models/environment.ts';
import { seeHelp } from '../arguments.ts';
import type { Asker } from '../asking/asker.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import type { Recorder } from '../recording/recorder.ts';
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
  const secrets = [env['TENON_API_KEY'] ?? ''].filter(key => key.trim() !== '');
  const recording = await openRecordingOf(see, given, terminal, secrets);
  const recorder = recording?.recorder;
  const printer = new RunPrinter(terminal, speaks);
  const servers = await sessionServers({ see, given, terminal, asker, recorder });
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
  return { agent, tools, printer, transcript, recorder, close };
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
  return { approve: approveAt(asker, terminal), needsApproval: tool => !isNamed(allowed, tool) };
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

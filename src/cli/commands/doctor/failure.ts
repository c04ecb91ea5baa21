/** What is known of a failure when its cause is looked for. */
import { isConnectionError } from '../../../rpc/connection-error.ts';
import { isProtocolError } from '../../../rpc/protocol-error.ts';
import type { Finding, StepName } from './report.ts';
import type { Sightings } from './sightings.ts';

/** The server as its configuration or the command line describes it, without values that may be secret. */
export interface Patient {
  readonly transport: 'stdio' | 'http';
  /** False for what was typed instead of configured. */
  readonly configured: boolean;
  /** The program, or the URL without its secrets. */
  readonly target: string;
  readonly args: readonly string[];
  /** Variables that its entry sets, by name. */
  readonly variables: readonly string[];
  /** Headers that its entry sets, by name, in lower case. */
  readonly headers: readonly string[];
}

export interface Failure {
  readonly step: StepName;
  readonly thrown: unknown;
  readonly patient: Patient;
  readonly seen: Sightings;
  /** What it said on stderr, bounded and without secrets. */
  readonly stderr: string;
  /** Names of the variables that are set where the check-up runs. */
  readonly isSet: (name: string) => boolean;
}

/** A row of the table of remedies: what it makes of a failure that it knows, nothing of any other. */
export type Rule = (failure: Failure) => Finding | undefined;

/** The status of the reply that the failure is about, where there was one. */
export function statusOf({ thrown, seen }: Failure): number | undefined {
  if (isConnectionError(thrown)) return thrown.status;
  return isProtocolError(thrown) ? seen.replies.at(-1)?.status : undefined;
}

/** The system's word for the failure, such as `ECONNREFUSED`, wherever in the chain of causes it stands. */
export function systemCodeOf(thrown: unknown): string | undefined {
  let at: unknown = thrown;
  for (let depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth += 1) {
    const { code, cause, errors } = at as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === 'string' && code !== '') return code;
    // A name with several addresses fails with the failure of each.
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return undefined;
}

/** What runtimes print around a message: frames of a stack, members of an error, their own version, a source line. */
const around =
  /^(?:at |Node\.js v|Bun v|[{}^~|\s]+$|(?:code|errno|syscall|address|port|path|requireStack|spawnargs): |throw |Emitted '|node:\S+:\d+$|File "|Traceback )/;

/** The last line that says something and matches. */
export function lastLine(text: string, matches: (line: string) => boolean = () => true): string | undefined {
  const lines = text.split(/\r?\n/).map(line => line.trim().slice(0, 300));
  return lines.findLast(line => line !== '' && !around.test(line) && matches(line));
}

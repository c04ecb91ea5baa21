/** What a check-up found, as data: step by step, each with what is wrong, why, and what mends it. */
import { count } from '../../print.ts';

/** What is looked at: of a server first, of its surroundings behind it. */
export type StepName =
  | 'config'
  | 'command'
  | 'start'
  | 'reach'
  | 'first bytes'
  | 'protocol'
  | 'capabilities'
  | 'lists'
  | 'schemas'
  | 'close'
  | 'node'
  | 'serving'
  | 'model'
  | 'address'
  | 'port';

/** One thing that is wrong. */
export interface Finding {
  /** A short stable word for code, such as `command-not-found`. */
  readonly code: string;
  readonly cause: string;
  readonly remedy: string;
}

export interface StepReport {
  readonly step: StepName;
  /** `wrong`: something is to be mended, and what follows was looked at all the same; `failed`: it was not. */
  readonly outcome: 'ok' | 'wrong' | 'failed';
  /** Milliseconds that it took. */
  readonly ms: number;
  readonly details: readonly string[];
  readonly findings: readonly Finding[];
}

export interface ServerReport {
  readonly name: string;
  /** Where it was found: a file and whose it is, or what was typed. */
  readonly from: string;
  readonly ok: boolean;
  /** What the server says of itself, once it did. */
  readonly server?: { readonly name: string; readonly version: string };
  readonly revision?: string;
  readonly era?: string;
  readonly steps: readonly StepReport[];
  /** The last lines that it said on stderr. */
  readonly stderr: readonly string[];
}

export interface DoctorReport {
  readonly ok: boolean;
  /** Node, the model's variables, the port; empty when one server was asked for and no port. */
  readonly environment: readonly StepReport[];
  readonly servers: readonly ServerReport[];
}

/** A step whose outcome is what its findings say; `failed` when nothing can follow it. */
export function stepOf(
  step: StepName,
  ms: number,
  { details = [], findings = [], failed = false }: Partial<StepReport> & { readonly failed?: boolean } = {},
): StepReport {
  const outcome = failed ? 'failed' : findings.length > 0 ? 'wrong' : 'ok';
  return { step, outcome, ms: Math.round(ms), details, findings };
}

export function isWell(steps: readonly StepReport[]): boolean {
  return steps.every(({ outcome }) => outcome === 'ok');
}

/** How many findings of one kind a step tells of. */
const mostFindings = 10;

/** The first ones, and how many there are beside them. */
export function atMost(findings: readonly Finding[]): readonly Finding[] {
  const more = findings.length - mostFindings;
  if (more <= 0) return findings;
  const cause = `${count(more, 'further fault')} of the same kind`;
  const last = { code: 'more', cause, remedy: 'See tenon lint.' };
  return [...findings.slice(0, mostFindings), last];
}

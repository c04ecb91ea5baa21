/** Why a connection to a child ended, in full: command line, exit, last words, and what to try. */
import { ConnectionError, type ExitStatus } from '../rpc/connection-error.ts';
import type { ChildEnd } from './child.ts';
import { lastLines } from './child-tail.ts';

/** What is known of the child when it ends. */
export interface ChildFacts {
  readonly label: string;
  /** The last output on stderr; `undefined` when it was not ours to read. */
  readonly stderrTail: string | undefined;
  /** Whether any message came from it. */
  readonly heard: boolean;
  /** Bytes of a message that was cut off. */
  readonly unfinished: number;
}

/** The child ended without being asked to, or cannot be talked to any more. */
export function failureOfChild(end: ChildEnd, facts: ChildFacts): ConnectionError {
  const summary = `the server ${whatHappened(end)}`;
  const parts = [`${summary} (command line: ${facts.label})`];
  if (facts.unfinished > 0) parts.push(`its last message broke off after ${facts.unfinished} bytes`);
  const words = facts.stderrTail === undefined ? '' : lastLines(facts.stderrTail);
  if (words !== '') parts.push(`its last words on stderr: ${words}`);
  const exit = end.kind === 'exited' ? end.exit : undefined;
  return new ConnectionError(parts.join('; '), {
    phase: end.kind === 'input-closed' ? 'write' : 'read',
    reason: end.kind,
    outcome: 'unknown',
    exit,
    stderrTail: facts.stderrTail,
    hint: hintFor(exit, facts),
    summary,
  });
}

/** We closed the connection ourselves. */
export function closedByUs(label: string): ConnectionError {
  const summary = 'the connection was closed';
  return new ConnectionError(`${summary} (command line: ${label})`, {
    phase: 'close',
    reason: 'closed',
    outcome: 'unknown',
    summary,
  });
}

/** A line that nobody could want to hold in memory. */
export function lineTooLong(limit: number, facts: ChildFacts): ConnectionError {
  const summary = `the server printed a line of more than ${limit} bytes, which is the limit`;
  return new ConnectionError(`${summary} (command line: ${facts.label})`, {
    summary,
    phase: 'read',
    reason: 'line-too-long',
    outcome: 'unknown',
    stderrTail: facts.stderrTail,
    hint: 'Raise `lineLimit` if the server really answers with that much; otherwise it prints something else on stdout.',
  });
}

/** The server takes nothing in any more. */
export function inputBlocked(waiting: number, facts: ChildFacts): ConnectionError {
  const summary = `the server does not read its input: ${waiting} characters wait for it`;
  return new ConnectionError(`${summary} (command line: ${facts.label})`, {
    summary,
    phase: 'write',
    reason: 'input-blocked',
    outcome: 'unknown',
    stderrTail: facts.stderrTail,
    hint: 'The server hangs, or reads slower than it is written to; keep fewer requests in flight.',
  });
}

function whatHappened(end: ChildEnd): string {
  if (end.kind === 'output-closed') return 'closed its stdout while it was still running';
  if (end.kind === 'input-closed') return 'closed its stdin while it was still running';
  const { code, signal } = end.exit;
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
}

function hintFor(exit: ExitStatus | undefined, facts: ChildFacts): string {
  if (exit?.code === 127) return 'Code 127 usually means that a command behind this one was not found.';
  if (facts.heard) return 'The server stopped in the middle of its work; its own log or stderr may say why.';
  const inspect =
    facts.stderrTail === undefined || facts.stderrTail === ''
      ? 'Run the command line by hand to see what it says.'
      : 'Its stderr (`stderrTail`) says more.';
  return `${inspect} It gets only a safe part of our environment: pass what it needs in \`env\`, or by \`inheritEnv\`.`;
}

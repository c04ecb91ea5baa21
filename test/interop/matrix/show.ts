/** What was said during a behaviour that failed, as lines for people: the same for every run of the same exchange. */
import { existsSync, readFileSync } from 'node:fs';
import type { Exchange } from './relay.ts';

const longest = 400;
const mostLines = 24;

/** Lines of a recording by `tee.mjs`, from `after` on. */
export const showLines = (log: string, after = 0): readonly string[] =>
  tidy(existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(after) : []);

export function showExchanges(exchanges: readonly Exchange[]): readonly string[] {
  return tidy(exchanges.flatMap(linesOf));
}

function linesOf({ method, body, status, replyHeaders, reply }: Exchange): readonly string[] {
  const type = replyHeaders?.['content-type'];
  const answer =
    status === undefined
      ? 'server: (nothing, until the client gave up)'
      : `server: ${status}${type ? ` ${type}` : ''}${reply === '' ? ' (no byte of a body)' : ` ${reply}`}`;
  return [`client: ${method}${body === '' ? '' : ` ${body}`}`, answer];
}

/** Ids of sessions and streams differ from run to run and say nothing. */
const tidy = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, mostLines).map(line => {
    const text = line
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '(id)')
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim();
    return text.length > longest ? `${text.slice(0, longest)}…` : text;
  });

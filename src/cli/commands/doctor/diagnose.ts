/** Finds cause and remedy of a failure: the rules in order, and what the error says itself where none knows it. */
import { messageOf, TenonError } from '../../../basics/failure.ts';
import { isTimeoutError } from '../../../basics/timeout-error.ts';
import { isVersionError } from '../../../protocol/errors.ts';
import { isConnectionError } from '../../../rpc/connection-error.ts';
import { isProtocolError } from '../../../rpc/protocol-error.ts';
import type { Failure, Rule } from './failure.ts';
import { httpRules } from './remedies-http.ts';
import { processRules } from './remedies-process.ts';
import type { Finding } from './report.ts';
import { readClues } from './stderr-clues.ts';

const protocolRules: readonly Rule[] = [
  ({ thrown }) => {
    if (!isVersionError(thrown)) return undefined;
    const { asked, offered } = thrown;
    const theirs = offered.length > 0 ? offered.join(', ') : 'none that it named';
    return {
      code: 'no-common-revision',
      cause: `the server speaks no protocol revision that was asked for (asked: ${asked.join(', ')}; offered: ${theirs})`,
      remedy:
        asked.length === 1
          ? 'Let the client find out what the server speaks instead of pinning it (protocol: "auto"), update the older side, or put tenon proxy between.'
          : 'Update the older side.',
    };
  },
  ({ thrown, step }) => {
    if (!isTimeoutError(thrown) || step !== 'lists') return undefined;
    return {
      code: 'list-silent',
      cause: `it did not answer ${thrown.phase} within ${(thrown.ms / 1000).toLocaleString('en')} s`,
      remedy: 'It may wait for a service of its own; its log says more, and --timeout gives it more time.',
    };
  },
];

const openingRefused: Rule = failure => {
  const { thrown, step } = failure;
  if (!isProtocolError(thrown) || step === 'lists') return undefined;
  // It may say there what others say on stderr.
  const clue = readClues({ ...failure, stderr: thrown.message }, 'it refuses the opening request');
  if (clue?.code === 'key-missing') return clue;
  return {
    code: 'opening-refused',
    cause: `it refuses the opening request: ${thrown.message}`,
    remedy: 'Update the server; it may also want an argument, a setting or a sign-in first.',
  };
};

/** The first that knows a failure counts. */
const rules: readonly Rule[] = [...protocolRules, ...processRules, ...httpRules, openingRefused];

/** Always gives something. */
export function diagnose(failure: Failure): Finding {
  for (const rule of rules) {
    const found = rule(failure);
    if (found !== undefined) return found;
  }
  const { thrown } = failure;
  const hint = thrown instanceof TenonError ? thrown.hint : undefined;
  const code = isConnectionError(thrown) ? thrown.reason : 'failed';
  return { code, cause: messageOf(thrown), remedy: hint ?? 'The log of the server may say more.' };
}

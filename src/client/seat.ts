/** What an era is told of the client that it serves. */
import { notify } from '../basics/notify.ts';
import type { Diagnostic } from '../channels/channel.ts';
import { QuestionTurns } from '../eras/for-clients.ts';
import type { ClientSeat } from '../eras/index.ts';
import { answerQuestion } from './answers.ts';
import type { ResultCache } from './cache.ts';
import { type ClientOptions, capabilitiesOf, defaultInfo, limitsOf } from './options.ts';

export function seatOf(
  options: ClientOptions,
  cache: ResultCache,
  report: (diagnostic: Diagnostic) => void,
): ClientSeat {
  const extensions = options.extensions ?? [];
  const results = extensions.flatMap(extension => Object.entries(extension.results ?? {}));
  const plain = extensions.filter(extension => extension.results === undefined);
  return {
    info: options.info ?? defaultInfo,
    capabilities: capabilitiesOf(options),
    plainCapabilities: capabilitiesOf(options, plain),
    logLevel: options.logLevel ?? (options.onLog ? 'info' : undefined),
    results: Object.fromEntries(results),
    nameParams: Object.assign({}, ...extensions.map(extension => extension.nameParams)),
    maxRounds: options.maxRounds ?? 16,
    limits: limitsOf(options.timeouts, undefined),
    answer: (question, signal) => answerQuestion(question, options, signal),
    turns: new QuestionTurns(report, options.maxQuestions),
    log: entry => notify(options.onLog, entry),
    changed: change => cache.changed(change),
  };
}

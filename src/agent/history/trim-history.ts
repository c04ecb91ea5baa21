/** Old messages left out on whole exchanges, so that a conversation stays within a number of messages or tokens. */
import { checkNumber } from '../../basics/option-checks.ts';
import type { ModelMessage } from '../../models/model.ts';
import { estimateBlock, estimateText, usualResultTokens } from '../results/estimate-tokens.ts';
import { presentResult } from '../results/present-result.ts';

/** Most that is kept beside system messages; the newest exchange is kept whatever it takes. */
export interface TrimOptions {
  readonly maxMessages?: number | undefined;
  /** Estimated: four characters to a token, 1,600 for a picture; a tool result counts 25,000 at most. */
  readonly maxTokens?: number | undefined;
}

export interface TrimmedHistory {
  readonly kept: readonly ModelMessage[];
  readonly dropped: readonly ModelMessage[];
}

/** Throws a TypeError that names the option which cannot be used. */
export function checkTrim(where: string, options: TrimOptions): void {
  checkNumber(where, 'maxMessages', options.maxMessages, { integer: true, min: 1 });
  checkNumber(where, 'maxTokens', options.maxTokens, { integer: true, min: 1 });
}

/**
 * The newest exchanges that fit, and all system messages before them. An exchange begins with a message of the user and
 * goes up to the next one, so no call is parted from its result. Throws a TypeError for unusable options.
 */
export function trimHistory(messages: readonly ModelMessage[], options: TrimOptions): ModelMessage[] {
  checkTrim('trimHistory', options);
  return [...splitHistory(messages, options).kept];
}

/** The same, with what was left out; a tool result counts as much as is shown of it. */
export function splitHistory(
  messages: readonly ModelMessage[],
  options: TrimOptions,
  maxResultTokens: number = usualResultTokens,
): TrimmedHistory {
  const { maxMessages = Number.POSITIVE_INFINITY, maxTokens = Number.POSITIVE_INFINITY } = options;
  const said = messages.filter(message => message.role !== 'system');
  let start = said.length;
  let count = 0;
  let tokens = 0;
  for (const begin of exchangeStarts(said).toReversed()) {
    const exchange = said.slice(begin, start);
    count += exchange.length;
    for (const message of exchange) tokens += estimateMessage(message, maxResultTokens);
    if (start < said.length && (count > maxMessages || tokens > maxTokens)) break;
    start = begin;
  }
  const system = messages.filter(message => message.role === 'system');
  if (start === 0) return { kept: messages, dropped: [] };
  return { kept: [...system, ...said.slice(start)], dropped: said.slice(0, start) };
}

/**
 * Where exchanges begin. What stands before the first message of the user is one too; a message of the user that is
 * followed by a result, before the model speaks again, stands within one.
 */
function exchangeStarts(said: readonly ModelMessage[]): number[] {
  const starts: number[] = [];
  let hasResult = false;
  for (let index = said.length - 1; index >= 0; index -= 1) {
    const role = said[index]?.role;
    if (role === 'assistant') hasResult = false;
    else if (role === 'tool') hasResult = true;
    const opens = role === 'user' && said[index - 1]?.role !== 'user' && !hasResult;
    if (opens || index === 0) starts.push(index);
  }
  return starts.reverse();
}

const perMessage = 4;

function estimateMessage(message: ModelMessage, maxTokens: number): number {
  const content =
    message.role === 'tool'
      ? presentResult(message, { maxTokens, readMore: 'read_more' }).content
      : message.content;
  const said =
    typeof content === 'string'
      ? estimateText(content)
      : content.reduce((sum, block) => sum + estimateBlock(block), 0);
  if (message.role !== 'assistant') return perMessage + said;
  const calls = message.toolCalls ?? [];
  return calls.reduce((sum, { name, arguments: raw }) => sum + estimateText(name + raw), perMessage + said);
}

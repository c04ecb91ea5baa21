/** Suggestions for the value of an argument: what a definition gives, and the bounds that the protocol sets. */

import type { Call } from '../protocol/call.ts';
import { readObject } from '../protocol/identity.ts';
import type { Completion } from '../protocol/listings.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import type { ClientView } from '../tools/context.ts';

/** Who wants to know, for what answers without asking back. */
export interface ListContext {
  readonly signal: AbortSignal;
  readonly client: ClientView;
  /** Who the caller proved to be, when the transport authenticates. */
  readonly principal: string | undefined;
}

/** What a function that suggests is given beside the text so far. */
export interface CompletionContext extends ListContext {
  /** Values of the other arguments, as far as they are known. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** Suggestions, best first; only the first 100 travel. */
export type CompletionReturn = readonly string[] | (Partial<Completion> & Pick<Completion, 'values'>);

/** A list, of which those that begin with the text so far are suggested (in any case), or a function. */
export type Completer =
  | readonly string[]
  | ((value: string, context: CompletionContext) => CompletionReturn | Promise<CompletionReturn>);

export type Completers = Readonly<Record<string, Completer>>;

const most = 100;

/** What `completion/complete` asks about: an argument, the text so far, and the other arguments. */
interface CompletionQuestion {
  readonly name: string;
  readonly value: string;
  readonly context: Readonly<Record<string, string>>;
}

/** Throws a `ProtocolError` for parameters that do not say what is to be completed. */
export function readCompletion(call: Call): CompletionQuestion {
  const { name, value } = readObject(call.params['argument']);
  if (typeof name !== 'string' || typeof value !== 'string') {
    throw new ProtocolError(codes.invalidParams, 'argument must have a name and a value, both strings');
  }
  const others = Object.entries(readObject(readObject(call.params['context'])['arguments']));
  const context = Object.fromEntries(
    others.filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
  return { name, value, context };
}

/** Suggestions within bounds; none where nothing completes the argument. */
export async function complete(
  completer: Completer | undefined,
  { value, context }: CompletionQuestion,
  call: Call,
): Promise<Completion> {
  if (completer === undefined) return { values: [], total: 0, hasMore: false };
  const given =
    typeof completer === 'function'
      ? await completer(value, contextOf(call, context))
      : startingWith(completer, value);
  const { values, total, hasMore } = isList(given)
    ? { values: given, total: given.length, hasMore: false }
    : given;
  return {
    values: values.slice(0, most),
    ...(total === undefined ? {} : { total }),
    hasMore: values.length > most || (hasMore ?? (total !== undefined && total > values.length)),
  };
}

function contextOf(call: Call, others: Readonly<Record<string, string>>): CompletionContext {
  const { signal, client, principal } = call;
  return { arguments: others, signal, client, principal };
}

function startingWith(values: readonly string[], start: string): readonly string[] {
  const lower = start.toLowerCase();
  return values.filter(value => value.toLowerCase().startsWith(lower));
}

function isList(value: CompletionReturn): value is readonly string[] {
  return Array.isArray(value);
}

/** What each kind of thing that a server offers is given, and gives: methods, and capabilities that promise them. */
import { checkChoice, checkNumber } from '../basics/option-checks.ts';
import type { Call, Freshness, Outcome } from '../protocol/call.ts';
import type { ExtensionResources } from '../protocol/extension.ts';
import type { Params } from '../rpc/message.ts';
import type { Completer } from './completer.ts';
import type { Paging } from './registry.ts';
import type { ToolRunner } from './run-tool.ts';

/** One kind of thing that a server offers. */
export interface Offer {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly methods: Readonly<Record<string, (call: Call) => Outcome | Promise<Outcome>>>;
  /** Absent where nothing can be completed. */
  readonly completing?: Completing;
}

/** How values for the arguments of one kind of thing are suggested. */
export interface Completing {
  /** Whether any of them has suggestions. */
  readonly some: boolean;
  /** What a client calls the kind, and the member of its reference that names one thing. */
  readonly type: string;
  readonly key: string;
  /** What completes an argument of a thing. Throws a `ProtocolError` where there is no such thing. */
  find(name: string, argument: string): Completer | undefined;
  /** Answers a call about things of these kinds. */
  readonly answer: (call: Call, kinds: readonly Completing[]) => Promise<Outcome>;
}

/**
 * Where a definition carries what offers its kind: a program that defines none of a kind does not bundle the kind. It
 * is enumerable, so that copies of a definition carry it too.
 */
export const offers: unique symbol = Symbol.for('tenon.offers');

/** Makes the offer of all definitions of one kind. Throws a TypeError that names the one that cannot be offered. */
export type MakeOffer<Definition> = (
  definitions: readonly Definition[],
  settings: OfferSettings,
  added: readonly ExtensionResources[],
) => Offer;

/** How long clients may keep what a server gives them; stale at once by default. */
export interface FreshnessHints {
  /** Lists of tools, prompts, resources and templates. */
  readonly lists?: Freshness;
  /** What resources hold, unless a resource says otherwise. */
  readonly reads?: Freshness;
}

/** What every kind shares. */
export interface OfferSettings {
  readonly runner: ToolRunner;
  readonly reads: Freshness | undefined;
  /** How the next list is cut. */
  paging(): Paging;
  /** A page of a list as an outcome, with the server's hint. */
  lasting(page: Params): Outcome;
}

/** Throws a TypeError that names the hint when one cannot be used. */
export function checkHints(hints: FreshnessHints): FreshnessHints {
  for (const name of ['lists', 'reads'] as const) checkFreshness('Server', `freshness.${name}`, hints[name]);
  return hints;
}

/** Throws a TypeError unless it is a time in milliseconds and a scope, or `undefined`. */
export function checkFreshness(where: string, name: string, hint: Freshness | undefined): void {
  if (hint === undefined) return;
  checkNumber(where, `${name}.ttlMs`, hint.ttlMs ?? null, { integer: true, min: 0 });
  checkChoice(where, `${name}.scope`, hint.scope ?? null, ['public', 'private']);
}

/** The contract of a negotiated protocol extension: what it adds to a server, to a client, and to results. */
import type { Params } from '../rpc/message.ts';
import type { Call, Outcome } from './call.ts';

/** Turns a result of an extension's own kind into an ordinary one; `request` makes further requests to the server. */
export type ResultKind = (
  value: Params,
  context: {
    readonly signal: AbortSignal | undefined;
    request(method: string, params: Params): Promise<Params>;
  },
) => Promise<Params>;

/** An extension. Everything but `id` is optional; an end that lacks a part simply does not have it. */
export interface Extension {
  /** `prefix/name`, as in the capabilities' `extensions` map. */
  readonly id: string;
  /** What each end says of it there; `{}` by default. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Methods it adds to a server. */
  readonly methods?: Readonly<Record<string, (call: Call) => Outcome | Promise<Outcome>>>;
  /** Kinds of result it adds, by their wire name, as a client understands them. */
  readonly results?: Readonly<Record<string, ResultKind>>;
}

/** What TypeScript may know of the tools behind a client: which there are, what they take and what they give. */
import type { Params } from '../rpc/message.ts';

/** A catalogue is an object type of these, by the names of the tools. */
export interface CatalogueEntry {
  readonly args: unknown;
  /** Of `structuredContent`. */
  readonly structured: unknown;
}

/** What is known of a server that nothing is known of. */
export interface AnyCatalogue {
  readonly [name: string]: { readonly args: Params; readonly structured: unknown };
}

/** Carries a catalogue in its type: a `Server` that of its tools, a catalogue file that of the server it was made of. */
export interface Catalogued<C extends object> {
  /** For the type checker alone: no value has such a member. */
  readonly '~catalogue'?: C;
}

export type ArgumentsOf<C, Name extends keyof C> = C[Name] extends { readonly args: infer Args }
  ? Args
  : Params;

export type StructuredOf<C, Name extends keyof C> = C[Name] extends { readonly structured: infer Data }
  ? Data
  : unknown;

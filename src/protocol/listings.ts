/** What lists of resources and prompts say of one entry, and what reading one gives; without versions. */
import type { Annotations, Content, ResourceContents } from '../tools/content.ts';

interface Listing {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A resource as a server lists it. */
export interface ResourceListing extends Listing {
  readonly uri: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  /** Bytes, when known. */
  readonly size?: number;
}

/** A family of resources as a server lists it. */
export interface ResourceTemplateListing extends Listing {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

/** An argument of a prompt; its value is a text. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt as a server lists it. */
export interface PromptListing extends Listing {
  readonly arguments?: readonly PromptArgument[];
}

export interface PromptMessage<Kind = Content> {
  readonly role: 'user' | 'assistant';
  readonly content: Kind;
}

/** What a resource holds: one part, or several. */
export interface ReadResult {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Suggestions for the value of an argument, best first. */
export interface Completion {
  /** At most 100. */
  readonly values: readonly string[];
  /** How many there are in all, when known. */
  readonly total?: number;
  readonly hasMore: boolean;
}

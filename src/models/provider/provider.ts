/** What differs from provider to provider, as a contract: addresses, requests, answers, failures. The call is shared. */
import type { FamilyName } from '../../projection/family.ts';
import type { Projection } from '../../projection/projection.ts';
import type { ModelRequest, Part, Usage } from '../model.ts';
import type { Concession } from './concessions.ts';
import type { FailureRules } from './failure.ts';

export type Note = Extract<Part, { type: 'note' }>;

/** JSON of a provider. */
export type Body = Readonly<Record<string, unknown>>;

/** What goes with every request unless the request says otherwise. */
export interface BodyDefaults {
  readonly model: string;
  readonly stream: boolean;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Further members of the body; they win over ours. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Tokens, without requests, which only the caller knows. */
export type TokenUsage = Omit<Usage, 'requests'>;

/**
 * Takes one answer in order and gives its parts; pure. Each method may throw a ModelError of kind `decode`. Tool names
 * are the provider's; whoever calls maps them back.
 */
export interface AnswerReader {
  /** Whether there was anything of an answer. */
  readonly answered: boolean;
  /** Whether the provider said why it stopped, after which a broken connection loses nothing. */
  readonly finished: boolean;
  /** Whether the end marker came, after which nothing more is read. */
  readonly done: boolean;
  readonly usage: TokenUsage;
  /** What the provider said of its usage that cannot be counted, such as `prompt_tokens is -1`. */
  readonly uncounted: readonly string[];
  /** The parts of one event of a stream. */
  read(data: unknown): Iterable<Part>;
  /** The parts of a whole answer. */
  readWhole(data: unknown): Iterable<Part>;
  /** What is left at the end: the replay, where one is needed, and why it ended. */
  end(): Iterable<Part>;
}

export interface Provider {
  /** First word of the model's name, of replays and of messages, such as `anthropic`. */
  readonly name: string;
  /** What the address must lead to, for hints, such as `an OpenAI-compatible server`. */
  readonly service: string;
  /** The address when none is given. */
  readonly baseUrl?: string;
  /** The highest temperature it takes. */
  readonly mostTemperature: number;
  /** Which rules its tools follow. */
  readonly family: FamilyName;
  readonly failures: FailureRules;
  /** What servers of the kind are known to refuse, and what is sent in its place. */
  readonly concessions: readonly Concession[];
  /** The path below the base address; a path that already ends so is kept. */
  path(model: string, stream: boolean): string;
  /** Query members, such as `alt: 'sse'`. */
  query?(stream: boolean): Readonly<Record<string, string>>;
  /** Headers that carry the key, and those that every request needs. */
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** The body of a request; members that nobody set are absent. */
  toBody(request: ModelRequest, defaults: BodyDefaults, projection: Projection): Body;
  /** What was asked for and is left out of this body because the provider is known to refuse it; told once. */
  notes?(request: ModelRequest, defaults: BodyDefaults, body: Body): readonly Note[];
  /** `idPrefix` begins the ids of calls that come without one; it is new in the conversation. */
  reader(about: { readonly provider: string; readonly idPrefix: string }): AnswerReader;
}

/** What a tool may ask the client while it runs, and what comes back: elicitation, sampling, roots. */
import type { JsonSchemaObject } from '../schema/schema.ts';
import type { AudioContent, ImageContent, TextContent } from './content.ts';

/** A form for the person at the client: flat fields of string, number, boolean or choice. */
export interface FormQuestion {
  readonly mode?: 'form';
  readonly message: string;
  readonly requestedSchema: JsonSchemaObject;
}

/** A page the person is asked to visit; the answer says only whether they agreed to. */
export interface UrlQuestion {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
  readonly elicitationId?: string;
}

export type ElicitQuestion = FormQuestion | UrlQuestion;

export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export type SampleContent = TextContent | ImageContent | AudioContent | Readonly<Record<string, unknown>>;

export interface SampleMessage {
  readonly role: 'user' | 'assistant';
  readonly content: SampleContent | readonly SampleContent[];
}

/** A request for one model response from the client's own model. */
export interface SampleQuestion {
  readonly messages: readonly SampleMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly toolChoice?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface SampleAnswer {
  readonly role: 'user' | 'assistant';
  readonly content: SampleContent | readonly SampleContent[];
  readonly model: string;
  readonly stopReason?: string;
}

/** A folder or file the client lets the server know of; `uri` is a `file://` URL. */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

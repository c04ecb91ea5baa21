/** A prompt: a named text for a model, with arguments, that a person at the client chooses. */
import { checkFunction, checkText } from '../basics/option-checks.ts';
import type { PromptArgument, PromptMessage } from '../protocol/listings.ts';
import type { InferOutput, Schema } from '../schema/schema.ts';
import type { Content } from '../tools/content.ts';
import type { ToolContext } from '../tools/context.ts';
import type { NeedInput } from '../tools/need-input.ts';
import type { Completers } from './completer.ts';
import { type MakeOffer, offers } from './offer.ts';
import { offerPrompts } from './prompt-offer.ts';

type Spoken = PromptMessage<Content | string>;

/** What `get` may give back: the text of one message of the user, messages, or messages with a description. */
export type PromptReturn =
  | string
  | Spoken
  | readonly Spoken[]
  | {
      readonly description?: string;
      readonly messages: readonly Spoken[];
      readonly _meta?: Readonly<Record<string, unknown>>;
    }
  | NeedInput;

/** A list of arguments, or a schema of an object whose properties are texts. */
export type PromptArguments = readonly PromptArgument[] | Schema;

/** The arguments as `get` sees them. */
export type ArgumentsOf<Arguments> = Arguments extends readonly (infer Each)[]
  ? Flat<
      {
        readonly [A in Each as A extends { name: infer Name extends string; required: true }
          ? Name
          : never]: string;
      } & {
        readonly [A in Each as A extends { required: true }
          ? never
          : A extends { name: infer Name extends string }
            ? Name
            : never]?: string;
      }
    >
  : Arguments extends Schema
    ? InferOutput<Arguments>
    : Readonly<Record<string, string>>;
type Flat<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never;

export interface PromptOptions<Arguments extends PromptArguments> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments?: Arguments;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** Suggests values, by the name of the argument. */
  readonly complete?: Completers;
  readonly get: (args: ArgumentsOf<Arguments>, ctx: ToolContext) => PromptReturn | Promise<PromptReturn>;
}

/** A defined prompt. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments?: PromptArguments;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly complete?: Completers;
  readonly get: (args: never, ctx: ToolContext) => unknown;
  readonly [offers]: MakeOffer<Prompt>;
}

/**
 * Defines a prompt; argument types follow from `arguments`. Throws a TypeError that names it when name, description
 * or get cannot be used; a schema is checked where the prompt is registered.
 */
export function prompt<const Arguments extends PromptArguments = readonly []>(
  options: PromptOptions<Arguments>,
): Prompt {
  checkText('prompt', 'name', options.name);
  const where = `prompt "${options.name}"`;
  if (typeof options.description !== 'string') throw new TypeError(`${where}: description must be a string`);
  checkFunction(where, 'get', options.get ?? null);
  return Object.freeze({ ...options, [offers]: offerPrompts }) as unknown as Prompt;
}

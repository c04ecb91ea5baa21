/** The prompts of a server: listed, written out with arguments, completed. */

import { isObject } from '../basics/json.ts';
import { sketch } from '../basics/sketch.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import type { PromptArgument, PromptListing } from '../protocol/listings.ts';
import type { Params } from '../rpc/message.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import { explain } from '../schema/explain.ts';
import { schemaFault } from '../schema/schema-error.ts';
import { isContent, text } from '../tools/content.ts';
import type { ToolContext } from '../tools/context.ts';
import { isToolError } from '../tools/tool-error.ts';
import { promptCapabilities } from './bare-offers.ts';
import { CallContext } from './call-context.ts';
import { argumentsOf, textOf, unknown } from './call-params.ts';
import type { Completer } from './completer.ts';
import { answerCompletion } from './completions.ts';
import type { Completing, Offer, OfferSettings } from './offer.ts';
import type { Prompt } from './prompt.ts';
import { keyed, type Paging, Registry } from './registry.ts';
import { runRounds } from './rounds.ts';

interface Registered {
  readonly prompt: Prompt;
  readonly listing: PromptListing;
  readonly schema: CompiledSchema | undefined;
}

/** Throws a TypeError that names the prompt when one cannot be offered. */
export function offerPrompts(prompts: readonly Prompt[], settings: OfferSettings): Offer {
  return new PromptOffer(prompts, settings);
}

class PromptOffer implements Offer {
  readonly #settings: OfferSettings;
  readonly #registry: Registry<Registered>;

  constructor(prompts: readonly Prompt[], settings: OfferSettings) {
    this.#settings = settings;
    this.#registry = registerAll(prompts, settings.paging());
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return promptCapabilities;
  }

  get completing(): Completing {
    return {
      some: [...this.#registry.entries].some(({ prompt }) => prompt.complete !== undefined),
      type: 'ref/prompt',
      key: 'name',
      find: (prompt, name) => this.#completer(prompt, name),
      answer: answerCompletion,
    };
  }

  get methods(): Readonly<Record<string, (call: Call) => Outcome | Promise<Outcome>>> {
    return {
      'prompts/list': call => this.#settings.lasting(this.#registry.page(call.params)),
      'prompts/get': call => this.#get(call),
    };
  }

  #completer(prompt: string, name: string): Completer | undefined {
    const registered = this.#registry.get(prompt);
    if (!registered) throw unknown('prompt', prompt, this.#registry.keys);
    const names = (registered.listing.arguments ?? []).map(each => each.name);
    if (!names.includes(name)) throw unknown(`argument of the prompt ${prompt}`, name, names);
    const completers = registered.prompt.complete ?? {};
    return Object.hasOwn(completers, name) ? completers[name] : undefined;
  }

  async #get(call: Call): Promise<Outcome> {
    const name = textOf(call.params['name'], 'name must be the name of a prompt');
    const args = argumentsOf(call.params);
    const registered = this.#registry.get(name);
    if (!registered) throw unknown('prompt', name, this.#registry.keys);
    const checked = await checkArguments(registered, args);
    call.signal.throwIfAborted();
    const get = registered.prompt.get as (args: unknown, ctx: ToolContext) => unknown;
    try {
      return { value: toMessages(await runRounds(call, () => get(checked, new CallContext(call))), name) };
    } catch (thrown) {
      if (isToolError(thrown)) throw new ProtocolError(codes.invalidParams, thrown.message);
      throw thrown;
    }
  }
}

function registerAll(prompts: readonly Prompt[], paging: Paging): Registry<Registered> {
  return new Registry('prompts', keyed('prompts', 'name', prompts, register), paging);
}

function register(prompt: Prompt): readonly [string, Registered] {
  const { name, title, description, icons, _meta } = prompt;
  const schema = compileArguments(prompt);
  const listed = listedArguments(prompt, schema);
  const listing: PromptListing = {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    ...(listed.length === 0 ? {} : { arguments: listed }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
  };
  return [name, { prompt, listing, schema }];
}

function compileArguments({ name, arguments: given }: Prompt): CompiledSchema | undefined {
  if (given === undefined || Array.isArray(given)) return undefined;
  try {
    return compileSchema(given as never, { root: 'object', io: 'input' });
  } catch (cause) {
    throw new TypeError(`prompt "${name}": its arguments cannot be used: ${schemaFault(cause)}`, { cause });
  }
}

/** A schema is listed as the names and descriptions of its properties: a prompt has nothing else to say of them. */
function listedArguments(
  { arguments: given }: Prompt,
  schema: CompiledSchema | undefined,
): readonly PromptArgument[] {
  if (schema === undefined) return (given ?? []) as readonly PromptArgument[];
  const { properties, required } = schema.json as { properties?: Params; required?: readonly string[] };
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const { title, description } = isObject(property) ? property : {};
    return {
      name,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      ...(required?.includes(name) ? { required: true } : {}),
    };
  });
}

async function checkArguments({ prompt, listing, schema }: Registered, args: Params): Promise<unknown> {
  const odd = Object.entries(args).find(([, value]) => typeof value !== 'string');
  if (odd) refuse(prompt, `"${odd[0]}" must be a string, got ${sketch(odd[1])}`);
  const missing = (listing.arguments ?? []).filter(each => each.required && args[each.name] === undefined);
  if (missing.length > 0)
    refuse(prompt, `${missing.map(({ name }) => `"${name}"`).join(', ')} must be given`);
  if (!schema) return args;
  const verdict = await schema.validate(args);
  if (verdict.ok) return verdict.value;
  return refuse(prompt, await explain(verdict.issues, { schema: schema.json, value: args }));
}

function refuse({ name }: Prompt, why: string): never {
  throw new ProtocolError(codes.invalidParams, `the arguments of the prompt ${name} cannot be used: ${why}`);
}

function toMessages(returned: unknown, name: string): Params {
  if (isObject(returned) && Array.isArray(returned['messages'])) {
    const { description, messages, _meta } = returned;
    return {
      ...(description === undefined ? {} : { description }),
      messages: messages.map(message => toMessage(message, name)),
      ...(_meta === undefined ? {} : { _meta }),
    };
  }
  const spoken: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
  return { messages: spoken.map(message => toMessage(message, name)) };
}

function toMessage(message: unknown, name: string): Params {
  if (typeof message === 'string') return { role: 'user', content: text(message) };
  if (isObject(message)) {
    const { role, content } = message;
    if ((role === 'user' || role === 'assistant') && typeof content === 'string')
      return { role, content: text(content) };
    if ((role === 'user' || role === 'assistant') && isContent(content)) return { role, content };
  }
  throw new TypeError(
    `the prompt "${name}" gave back ${sketch(message)}; give text, or messages with role and content`,
  );
}

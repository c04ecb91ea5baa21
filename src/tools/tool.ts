/** A tool: one definition that an agent can use and a server can offer. */
import { checkFunction, checkMilliseconds } from '../basics/option-checks.ts';
import type { InferInput, InferOutput, Schema } from '../schema/schema.ts';
import type { Content } from './content.ts';
import type { ToolContext } from './context.ts';
import type { NeedInput } from './need-input.ts';

/** What a tool says of its effects. Hints only: a client must not trust those of a server it does not trust. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A result spelled out: content blocks, structured data or both, and whether it reports a failure. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What `run` may give back: text, blocks, a whole result, or (with `output`) data that fits its schema. */
export type ToolReturn = string | Content | readonly Content[] | ToolResult | NeedInput | undefined;

/** What `run` may give back when the tool declares `output`. */
type ReturnOf<Output> = [Output] extends [Schema]
  ? InferInput<Output> | ToolResult | NeedInput
  : // biome-ignore lint/suspicious/noConfusingVoidType: a body without a return statement has this type
    ToolReturn | Data | void;

/** The structured result of a tool with this `output`. */
type DataOf<Output> = [Output] extends [Schema] ? InferOutput<Output> : unknown;

/** Any data; not a promise, whose value would go unchecked. */
type Data = object & { readonly then?: never };

interface ToolFacts {
  /** 1-128 of letters, digits, `_`, `-`, `.`; unique among the tools it is offered with. */
  readonly name: string;
  /** For people; models see the description. */
  readonly title?: string;
  readonly description: string;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** Milliseconds one execution may take; none by default. */
  readonly timeout?: number;
  /** How many correctable failures an agent feeds back before it gives up; 2 by default. */
  readonly retries?: number;
  /** True when no other tool may run beside it in an agent. */
  readonly sequential?: boolean;
  /** What the client must be able to do for the tool to work. */
  readonly requires?: Readonly<Record<string, unknown>>;
  /** Whether the tool may run as a long-lived task; `never` by default. */
  readonly task?: 'never' | 'allowed' | 'required';
  /**
   * When the task begins: before `run` (`at-once`, the default), or when `run` calls `ctx.startTask()` (`by-tool`), so
   * that what it asks until then is asked with the call itself.
   */
  readonly taskStart?: 'at-once' | 'by-tool';
}

/** How to define a tool. */
export interface ToolOptions<
  Input extends Schema,
  Output extends Schema | undefined,
  Deps,
  Name extends string = string,
> extends ToolFacts {
  readonly name: Name;
  /** JSON Schema of an object, or a Standard Schema that can give one. Without it the tool takes no arguments. */
  readonly input?: Input;
  /** Schema of the structured result; results that do not fit it are a fault of the tool. */
  readonly output?: Output;
  /**
   * Whether somebody must agree before an agent runs it: always, or for these arguments, for which only `false` means no.
   * A server leaves that to its clients.
   */
  readonly needsApproval?: boolean | ((args: InferOutput<Input>) => boolean | Promise<boolean>);
  readonly run: (
    args: InferOutput<Input>,
    ctx: ToolContext<Deps>,
  ) => ReturnOf<Output> | Promise<ReturnOf<Output>>;
}

/** A defined tool. `Deps` is what its `ctx.deps` must be; a server, which has none, refuses a tool that needs any. */
export interface Tool<Args = unknown, Deps = unknown> extends ToolFacts {
  readonly input: Schema;
  readonly output?: Schema;
  readonly needsApproval?: boolean | ((args: Args) => boolean | Promise<boolean>);
  /** A property, not a method: its parameters are what makes a tool with needs refuse a place without them. */
  readonly run: (args: Args, ctx: ToolContext<Deps>) => unknown;
}

/**
 * A tool with what its definition says of its callers: its name, the arguments they send, the data they get. It carries
 * the schemas and not what follows from them, which is cheaper for the type checker where there are hundreds.
 */
export interface TypedTool<Name extends string, Input extends Schema, Output extends Schema | undefined, Deps>
  extends Tool<InferOutput<Input>, Deps> {
  readonly name: Name;
  /** For the type checker alone: no tool has such a member. */
  readonly '~shape'?: { readonly args: InferInput<Input>; readonly structured: DataOf<Output> };
}

/** What callers send to this tool and get from it; anything, where that is not known. */
export type ShapeOf<T> = T extends { readonly '~shape'?: infer S extends { readonly args: unknown } }
  ? S
  : { readonly args: Readonly<Record<string, unknown>>; readonly structured: unknown };

/** Any tool whose dependencies are met by `Deps`. */
export type AnyTool<Deps = unknown> = Tool<never, Deps>;

type NoInput = { readonly type: 'object'; readonly properties: {}; readonly additionalProperties: false };

/** What a tool takes when it declares no input: an object without properties. */
const noInput: Schema = Object.freeze({ type: 'object', properties: {}, additionalProperties: false });

/**
 * Defines a tool. Argument types are inferred from `input`, dependencies from the annotation of `ctx`.
 * Throws a TypeError when name, description or run are not usable; schemas are checked where the tool is registered.
 */
export function tool<
  const Input extends Schema = NoInput,
  const Output extends Schema | undefined = undefined,
  Deps = unknown,
  const Name extends string = string,
>(options: ToolOptions<Input, Output, Deps, Name>): TypedTool<Name, Input, Output, Deps> {
  const { name, description, run } = options;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
    throw new TypeError(
      `tool: the name ${JSON.stringify(name)} cannot be used; give 1-128 letters, digits, "_", "-" or "."`,
    );
  }
  if (typeof description !== 'string') {
    throw new TypeError(`tool "${name}": description must be a string; models choose tools by it`);
  }
  if (typeof run !== 'function') throw new TypeError(`tool "${name}": run must be a function (args, ctx)`);
  checkMilliseconds(`tool "${name}"`, 'timeout', options.timeout);
  if (typeof options.needsApproval !== 'boolean') {
    checkFunction(`tool "${name}"`, 'needsApproval', options.needsApproval, 'true, false or a function');
  }
  const defined = { ...options, input: options.input ?? noInput };
  return Object.freeze(defined) as unknown as ReturnType<typeof tool<Input, Output, Deps, Name>>;
}

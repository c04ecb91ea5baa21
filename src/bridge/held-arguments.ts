/** Arguments that the model neither sees nor sets: taken out of the schema it reads, put into the calls it makes. */
import { messageOf, TenonError } from '../basics/failure.ts';
import { isObject } from '../basics/json.ts';
import type { JsonSchemaObject } from '../schema/schema.ts';
import type { ToolContext } from '../tools/context.ts';
import { isToolError } from '../tools/tool-error.ts';
import type { ToolAdjustment } from './tool-adjustment.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The schema that is shown, and what makes the server's arguments of the model's. */
export interface HeldArguments {
  readonly schema: JsonSchemaObject;
  fill(args: Arguments, ctx: ToolContext): Arguments | Promise<Arguments>;
}

/** Throws a TypeError when an argument would be hidden without which no call can be made. */
export function holdArguments(
  schema: JsonSchemaObject,
  { pin = {}, hide = [] }: ToolAdjustment,
): HeldArguments {
  const pinned = Object.entries(pin);
  if (pinned.length === 0 && hide.length === 0) return { schema, fill: args => args };
  const held = new Set([...pinned.map(([name]) => name), ...hide]);
  const defaults = hide.filter(name => !Object.hasOwn(pin, name)).flatMap(name => defaultOf(schema, name));
  return {
    schema: without(schema, held, 0),
    async fill(args, ctx) {
      // The schema may allow names that it does not list; a model that writes a held one does not get past this.
      const own = Object.entries(args).filter(([name]) => !held.has(name));
      const values = await Promise.all(
        pinned.map(async ([name, value]) => [name, await evaluate(name, value, ctx)]),
      );
      return Object.fromEntries([...own, ...defaults, ...values]) as Arguments;
    },
  };
}

async function evaluate(name: string, value: unknown, ctx: ToolContext): Promise<unknown> {
  if (typeof value !== 'function') return value;
  try {
    return await value(ctx);
  } catch (error) {
    ctx.signal.throwIfAborted();
    throw isToolError(error)
      ? error
      : new TenonError(`the function for the pinned argument "${name}" failed: ${messageOf(error)}`, {
          cause: error,
        });
  }
}

/** Only what is required has to be sent. */
function defaultOf(schema: JsonSchemaObject, name: string): readonly (readonly [string, unknown])[] {
  const { required, properties } = schema as { readonly required?: unknown; readonly properties?: unknown };
  if (!Array.isArray(required) || !required.includes(name)) return [];
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (isObject(property) && Object.hasOwn(property, 'default')) return [[name, property['default']]];
  throw new TypeError(
    `the argument "${name}" cannot be hidden: it is required and has no default; pin it instead`,
  );
}

const combining = ['allOf', 'anyOf', 'oneOf'] as const;
const conditional = ['if', 'then', 'else'] as const;
const deepest = 8;

/** The schema without these properties of the object it describes. Properties of properties stay. */
function without(schema: JsonSchemaObject, names: ReadonlySet<string>, depth: number): JsonSchemaObject {
  const shown: Record<string, unknown> = { ...schema };
  const { properties, required, dependentRequired } = shown;
  if (isObject(properties)) shown['properties'] = omit(properties, names);
  if (Array.isArray(required)) {
    const left = required.filter(name => !names.has(name as string));
    if (left.length > 0) shown['required'] = left;
    else delete shown['required'];
  }
  if (isObject(dependentRequired)) {
    const kept = Object.entries(omit(dependentRequired, names)).map(([name, needs]) => [
      name,
      Array.isArray(needs) ? needs.filter(need => !names.has(need as string)) : needs,
    ]);
    shown['dependentRequired'] = Object.fromEntries(kept);
  }
  if (depth >= deepest) return shown;
  const inner = (part: unknown): unknown => (isObject(part) ? without(part, names, depth + 1) : part);
  for (const keyword of combining) {
    const parts = shown[keyword];
    if (Array.isArray(parts)) shown[keyword] = parts.map(inner);
  }
  for (const keyword of conditional) if (keyword in shown) shown[keyword] = inner(shown[keyword]);
  return shown;
}

function omit(record: Arguments, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}

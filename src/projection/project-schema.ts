/** One schema as a family of providers takes it: the first way that fits, and what it could not say. */
import { messageOf } from '../basics/failure.ts';
import { compileSchema } from '../schema/compile.ts';
import { families } from './families.ts';
import type { FamilyName, Way } from './family.ts';
import { rewriteSchema } from './steps/rewrite.ts';
import type { SchemaLoss } from './steps/visit.ts';

/** A schema that can be sent, or why none can. */
export type ProjectedSchema =
  | {
      readonly ok: true;
      readonly schema: Readonly<Record<string, unknown>>;
      /** True where the provider holds its model to the schema. */
      readonly strict: boolean;
      readonly losses: readonly SchemaLoss[];
    }
  | { readonly ok: false; readonly reason: string };

/** The arguments of a tool; remembered for a schema that was seen before, which must not change then. Never throws. */
export function projectArguments(schema: unknown, family: FamilyName): ProjectedSchema {
  if (schema === undefined || schema === null) return projectNothing(family);
  if (typeof schema !== 'object') return project(schema, family);
  const known = remembered.get(schema) ?? new Map<FamilyName, ProjectedSchema>();
  remembered.set(schema, known);
  const projected = known.get(family) ?? project(schema, family);
  known.set(family, projected);
  return projected;
}

const remembered = new WeakMap<object, Map<FamilyName, ProjectedSchema>>();

function project(schema: unknown, family: FamilyName): ProjectedSchema {
  const fault = faultOf(schema, 'object');
  return fault === undefined ? write(schema, families[family].arguments) : { ok: false, reason: fault };
}

function projectNothing(family: FamilyName): ProjectedSchema {
  const projected = write({ type: 'object', properties: {} }, families[family].arguments);
  const message = 'there is no schema; it is shown as an object without properties';
  return projected.ok
    ? { ...projected, losses: [{ path: '', keyword: 'type', message }, ...projected.losses] }
    : projected;
}

/**
 * A schema of structured output. What comes back is to be checked against `schema` itself, after `tidyArguments` took
 * the nulls out that stand for what was left out. Never throws.
 */
export function projectOutput(schema: unknown, family: FamilyName): ProjectedSchema {
  const { output, outputRoot } = families[family];
  const reason = faultOf(schema, outputRoot);
  return reason === undefined ? write(schema, output) : { ok: false, reason };
}

/** Why nobody could use the schema, if so. */
function faultOf(schema: unknown, root: 'object' | 'any'): string | undefined {
  try {
    compileSchema(schema as Readonly<Record<string, unknown>> | boolean, { root });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function write(schema: unknown, ways: readonly Way[]): ProjectedSchema {
  const refusals: SchemaLoss[] = [];
  for (const { dialect, strict } of ways) {
    const { schema: written, losses, refusal } = rewriteSchema(schema, dialect);
    if (refusal === undefined) {
      return { ok: true, schema: written, strict, losses: [...refusals.map(asLoss), ...losses] };
    }
    refusals.push(refusal);
  }
  return { ok: false, reason: refusals.map(({ path, message }) => `${message} (at #${path})`).join('; ') };
}

function asLoss({ path, keyword, message }: SchemaLoss): SchemaLoss {
  return { path, keyword, message: `it is sent without strict mode: ${message}` };
}

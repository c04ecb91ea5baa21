/** Arguments that the model neither sees nor sets: taken out of the schema it reads, put into the calls it makes. */
import { messageOf, TenonError } from '../../basics/failure.ts';
import { compileSchema } from '../../schema/compile.ts';
import { explainIssues, type Issue } from '../../schema/issues.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isToolError, ToolError } from '../../tools/tool-error.ts';
import { type Fate, withoutHeld } from './held-schema.ts';
import { type ArgumentSurvey, surveyArguments } from './held-survey.ts';
import type { ToolAdjustment } from './tool-adjustment.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The schema that is shown, and what makes the server's arguments of the model's. */
export interface HeldArguments {
  readonly schema: JsonSchemaObject;
  /** Of the names to hold, those that the tool does not have. */
  readonly unknown: readonly string[];
  /** Rejects with a ToolError or a TenonError when the whole does not fit the schema of the server: nothing is sent. */
  fill(args: Arguments, ctx: ToolContext): Arguments | Promise<Arguments>;
}

/**
 * `isGeneral`: the arguments are meant for many tools, of which some do not have them. Throws a TypeError when an
 * argument would be hidden without which no call can be made, when a pinned one is not the tool's or its value does not
 * fit, or when the schema cannot be followed that far.
 */
export function holdArguments(
  schema: JsonSchemaObject,
  { pin = {}, hide = [] }: ToolAdjustment,
  isGeneral = false,
): HeldArguments {
  if (Object.keys(pin).length + hide.length === 0) return { schema, unknown: [], fill: args => args };
  const survey = surveyArguments(schema);
  const unknown = [...new Set([...Object.keys(pin), ...hide])].filter(
    name => !isKnown(name, survey, isGeneral),
  );
  const pinned = Object.entries(pin).filter(([name]) => !unknown.includes(name));
  const stray = Object.keys(pin).find(name => unknown.includes(name));
  if (stray !== undefined && !isGeneral) throw new TypeError(cannotPin(stray, survey));
  const fates = new Map<string, Fate>(pinned.map(([name, value]) => [name, fateOf(value)]));
  const defaults: (readonly [string, unknown])[] = [];
  for (const name of hide) {
    if (fates.has(name)) continue;
    const isSent = survey.needed.has(name) && survey.defaults.has(name);
    const value = survey.defaults.get(name);
    if (isSent) defaults.push([name, value]);
    fates.set(name, isSent ? { sent: true, value } : { sent: false });
  }
  const whole = compileSchema(schema, { root: 'object' });
  return {
    schema: withoutHeld(schema, fates),
    unknown,
    async fill(args, ctx) {
      // The schema may allow names that it does not list; a model that writes a held one does not get past this.
      const own = Object.entries(args).filter(([name]) => !fates.has(name) && !Object.hasOwn(pin, name));
      const values = await Promise.all(
        pinned.map(async ([name, value]) => [name, await evaluate(name, value, ctx)]),
      );
      const filled = Object.fromEntries([...own, ...defaults, ...values]) as Arguments;
      const verdict = await whole.validate(filled);
      if (!verdict.ok) throw unfit(verdict.issues, fates);
      return filled;
    },
  };
}

/** A tool that lists no arguments at all may take any; whoever names it knows. */
function isKnown(name: string, { listed, hasPatterns }: ArgumentSurvey, isGeneral: boolean): boolean {
  return listed.has(name) || hasPatterns || (listed.size === 0 && !isGeneral);
}

function fateOf(value: unknown): Fate {
  return typeof value === 'function' ? { sent: true } : { sent: true, value };
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

function cannotPin(name: string, { listed }: ArgumentSurvey): string {
  return `there is no argument "${name}" to pin; its arguments are ${[...listed].join(', ')}`;
}

/** What is wrong with a pinned value no model can mend. */
function unfit(issues: readonly Issue[], fates: ReadonlyMap<string, Fate>): Error {
  const ours = issues.find(({ path }) => fates.has(String(path[0])));
  const why = explainIssues(issues);
  if (ours === undefined) return new ToolError(`The call was not sent: its arguments do not fit. ${why}`);
  return new TenonError(
    `the pinned argument "${String(ours.path[0])}" does not fit what the tool takes: ${why}`,
    {
      hint: 'Correct "pin" in the options of the toolset.',
    },
  );
}

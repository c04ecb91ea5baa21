/** An agent as a tool of other agents: it takes a prompt and answers with its output. */
import { printJson } from '../basics/json.ts';
import { checkFunction, checkNumber } from '../basics/option-checks.ts';
import type { InferOutput, Schema } from '../schema/schema.ts';
import { text } from '../tools/content.ts';
import type { ToolContext } from '../tools/context.ts';
import { type Tool, type ToolAnnotations, type ToolResult, tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { NestedPause } from './approval/nested-pause.ts';
import { type Delegation, delegationOf } from './calls/delegation.ts';
import type { Prompt } from './run-options.ts';
import type { RunOutcome } from './run-plan.ts';

/** What the tool takes unless it has an `input` of its own. */
export interface PromptInput {
  readonly prompt: string;
}

interface AgentToolFacts<Output> {
  /** The tool's name. */
  readonly name: string;
  /** What the agent is good for; models choose by it. */
  readonly description: string;
  readonly title?: string | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** How the output is told; text as it is and data as JSON unless set. */
  readonly render?: ((output: Output) => string) | undefined;
  /** Most runs above one that this tool starts; 8 unless set. It ends agents that call each other for ever. */
  readonly maxDepth?: number | undefined;
  /** Milliseconds one run may take; none unless set. */
  readonly timeout?: number | undefined;
  /** See `tool`. */
  readonly retries?: number | undefined;
  readonly sequential?: boolean | undefined;
  /** Whether somebody must agree before the agent runs. */
  readonly needsApproval?: boolean | undefined;
}

/** How an agent becomes a tool; `prompt` makes the prompt when it has an `input` of its own. */
export type AgentToolOptions<Output, Input extends Schema | undefined = undefined> = AgentToolFacts<Output> &
  ([Input] extends [Schema]
    ? { readonly input: Input; readonly prompt: (args: InferOutput<Input>) => Prompt }
    : { readonly input?: undefined; readonly prompt?: undefined });

/** What the tool takes. */
export type AgentToolInput<Input> = [Input] extends [Schema] ? InferOutput<Input> : PromptInput;

/** Runs the agent, or goes on with its run, for a tool call. */
export type StartDelegated<Deps, Output> = (
  opening: { readonly prompt: Prompt } | NonNullable<Delegation['resumed']>,
  ctx: ToolContext<Deps>,
  above: Delegation | undefined,
) => Promise<RunOutcome<Output, boolean>>;

const promptSchema = {
  type: 'object',
  properties: { prompt: { type: 'string', minLength: 1, description: 'What the agent is to do.' } },
  required: ['prompt'],
  additionalProperties: false,
} as const;

/** Throws a TypeError that names the option which cannot be used. */
export function agentTool<Deps, Output, Input extends Schema | undefined>(
  options: AgentToolOptions<Output, Input>,
  start: StartDelegated<Deps, Output>,
): Tool<AgentToolInput<Input>, Deps> {
  const { name, description, title, annotations, render, maxDepth = 8 } = options;
  const { timeout, retries, sequential, needsApproval, input, prompt } = options;
  checkOptions(options);
  const made = tool({
    name,
    description,
    ...(title === undefined ? {} : { title }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(retries === undefined ? {} : { retries }),
    ...(sequential === undefined ? {} : { sequential }),
    ...(needsApproval === undefined ? {} : { needsApproval }),
    input: (input ?? promptSchema) as Schema,
    async run(args, ctx: ToolContext<Deps>) {
      const above = delegationOf(ctx);
      if (above !== undefined && above.depth >= maxDepth) {
        throw new ToolError(
          `Not run: agents have called each other ${maxDepth} deep, which is the most. Answer without "${name}".`,
        );
      }
      const opening = above?.resumed ?? { prompt: readPrompt(args, prompt as MakePrompt | undefined) };
      const result = await start(opening, ctx, above);
      if (result.paused === true) throw new NestedPause(name, result.state);
      return render ? render(result.output) : tell(result.output);
    },
  });
  return made as unknown as Tool<AgentToolInput<Input>, Deps>;
}

type MakePrompt = (args: unknown) => Prompt;

/** A prompt that says nothing is something the model can mend. */
function readPrompt(args: unknown, make: MakePrompt | undefined): Prompt {
  const prompt = make ? make(args) : (args as PromptInput).prompt;
  const blank =
    typeof prompt === 'string' ? prompt.trim() === '' : prompt === undefined || prompt.length === 0;
  if (blank) throw new ToolError('prompt must not be blank; say what the agent is to do');
  return prompt;
}

function tell(output: unknown): ToolResult {
  if (output === undefined) return { content: [] };
  if (typeof output === 'string') return { content: [text(output)] };
  return { content: [text(printJson(output))], structuredContent: output };
}

function checkOptions<Output, Input extends Schema | undefined>(
  options: AgentToolOptions<Output, Input>,
): void {
  const where = 'asTool';
  checkNumber(where, 'maxDepth', options.maxDepth, { integer: true, min: 1 });
  checkNumber(where, 'retries', options.retries, { integer: true, min: 0 });
  checkFunction(where, 'render', options.render);
  checkFunction(where, 'prompt', options.prompt);
  if ((options.input === undefined) !== (options.prompt === undefined)) {
    throw new TypeError(
      `${where}: input and prompt go together: the one says what it takes, the other makes a prompt of it`,
    );
  }
}

/** Our requests as the JSON of the Messages API; pure. What comes back is in `stream.ts`. */
import { projectOutput } from '../../projection/project-schema.ts';
import type { Projection } from '../../projection/projection.ts';
import type { ModelRequest, ToolChoice } from '../model.ts';
import type { Body, BodyDefaults, Note } from '../provider/provider.ts';
import { samplingOf } from '../provider/sampling.ts';
import { markForCache } from './cache.ts';
import type {
  Choice,
  MessagesBody,
  OutputConfig,
  ThinkingSetting,
  ToolDeclaration,
  Turn,
} from './request.ts';
import { toTurns } from './turns.ts';

/** What only this provider has. */
export interface MessagesSettings {
  readonly thinking?: 'adaptive' | 'off' | number | undefined;
  readonly cache?: boolean | undefined;
}

/** Tokens to generate when nobody said how many; the API wants a number, and every current model takes this one. */
const usualMaxTokens = 16_384;

/** The body of a request; members that nobody set are absent, but for `max_tokens`. */
export function toBody(
  request: ModelRequest,
  defaults: BodyDefaults,
  projection: Projection,
  { thinking, cache = false }: MessagesSettings = {},
): MessagesBody {
  const messages = toTurns(request.messages, projection);
  const offer = toTools(request, projection, messages);
  const budget = typeof thinking === 'number' ? thinking : 0;
  const maxTokens = samplingOf(request, defaults).maxTokens ?? usualMaxTokens + budget;
  const thought = toThinking(thinking, { maxTokens, messages, choice: offer.tool_choice });
  const system = toSystem(request);
  const temperature = toTemperature(request, defaults, thought);
  const output = toOutput(request);
  const body: MessagesBody = {
    model: defaults.model,
    max_tokens: maxTokens,
    messages,
    ...(system === '' ? {} : { system }),
    ...offer,
    ...(temperature === undefined ? {} : { temperature }),
    ...(thought === undefined ? {} : { thinking: thought }),
    ...(output === undefined ? {} : { output_config: output }),
    ...(defaults.stream ? { stream: true } : {}),
  };
  return cache ? markForCache(body) : body;
}

/** A model that thinks takes none but 1. */
function toTemperature(
  request: ModelRequest,
  defaults: BodyDefaults,
  thought: ThinkingSetting | undefined,
): number | undefined {
  const { temperature: asked } = samplingOf(request, defaults);
  const thinks = thought !== undefined && thought.type !== 'disabled';
  return thinks && asked !== 1 ? undefined : asked;
}

/** What was asked for and does not stand in the body. */
export function toNotes(request: ModelRequest, defaults: BodyDefaults, body: Body): readonly Note[] {
  const { temperature: asked } = samplingOf(request, defaults);
  // One that the server was found to refuse is told by the concession.
  if (asked === undefined || 'temperature' in body || !('thinking' in body)) return [];
  const message = `a model that thinks has a temperature of its own; ${asked} is left out`;
  return [{ type: 'note', code: 'temperature-dropped', message }];
}

function toSystem({ messages }: ModelRequest): string {
  return messages
    .flatMap(({ role, content }) => (role === 'system' && content.trim() !== '' ? [content] : []))
    .join('\n\n');
}

interface Offer {
  readonly tools?: readonly ToolDeclaration[];
  readonly tool_choice?: Choice;
}

/** A conversation with calls in it is not taken without tools, so those it names are declared and none may be called. */
function toTools({ toolChoice }: ModelRequest, projection: Projection, turns: readonly Turn[]): Offer {
  const tools = projection.tools.map(
    ({ name, description, parameters }): ToolDeclaration => ({
      name,
      ...(description.trim() === '' ? {} : { description }),
      input_schema: { ...parameters, type: 'object' },
    }),
  );
  if (tools.length > 0) {
    return { tools, ...(toolChoice === undefined ? {} : { tool_choice: toChoice(toolChoice, projection) }) };
  }
  const called = new Set(
    turns.flatMap(({ content }) => content.flatMap(block => (block.type === 'tool_use' ? [block.name] : []))),
  );
  if (called.size === 0) return {};
  const declared = [...called].map(
    (name): ToolDeclaration => ({
      name,
      description: 'No longer available.',
      input_schema: { type: 'object' },
    }),
  );
  return { tools: declared, tool_choice: { type: 'none' } };
}

function toChoice(choice: ToolChoice, { aliasOf }: Projection): Choice {
  if (typeof choice === 'object') return { type: 'tool', name: aliasOf(choice.name) };
  return { type: choice === 'required' ? 'any' : choice };
}

interface ThinkingFacts {
  readonly maxTokens: number;
  readonly messages: readonly Turn[];
  readonly choice: Choice | undefined;
}

/** Left out of requests that the API would refuse with it; `docs/guides/choose-a-model.md` says which. */
function toThinking(
  thinking: MessagesSettings['thinking'],
  { maxTokens, messages, choice }: ThinkingFacts,
): ThinkingSetting | undefined {
  if (thinking === undefined) return undefined;
  if (thinking === 'off') return { type: 'disabled' };
  if (choice?.type === 'any' || choice?.type === 'tool') return undefined;
  if (thinking === 'adaptive') return { type: 'adaptive' };
  const fits = thinking < maxTokens && !continuesWithoutThought(messages);
  return fits ? { type: 'enabled', budget_tokens: thinking } : undefined;
}

/** Whether the model goes on from a turn of its own that begins without a thought, as after a change of provider. */
function continuesWithoutThought(turns: readonly Turn[]): boolean {
  const last = turns.at(-1);
  const continued = last?.content[0]?.type === 'tool_result' ? turns.at(-2) : last;
  if (continued?.role !== 'assistant') return false;
  const first = continued.content[0]?.type;
  return first !== 'thinking' && first !== 'redacted_thinking';
}

/** A schema that the API cannot hold its model to is not sent; what comes back is checked by whoever asked. */
function toOutput({ output }: ModelRequest): OutputConfig | undefined {
  if (output === undefined) return undefined;
  const projected = projectOutput(output.schema, 'anthropic');
  return projected.ok ? { format: { type: 'json_schema', schema: projected.schema } } : undefined;
}

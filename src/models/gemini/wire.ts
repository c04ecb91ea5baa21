/** Our requests as the JSON of generateContent; pure. What comes back is in `stream.ts`. */
import { isObject } from '../../basics/json.ts';
import { projectOutput } from '../../projection/project-schema.ts';
import type { ProjectedTool, Projection } from '../../projection/projection.ts';
import type { ModelRequest, ToolChoice } from '../model.ts';
import type { Body, BodyDefaults } from '../provider/provider.ts';
import { samplingOf } from '../provider/sampling.ts';
import { toContents } from './contents.ts';
import type { CallingConfig, Declaration, GeminiBody, GenerationConfig } from './request.ts';
import { signCalls } from './signatures.ts';

/**
 * The body of a request; members that nobody set are absent. A `generationConfig` in the further members is merged with
 * ours.
 */
export function toBody(request: ModelRequest, defaults: BodyDefaults, projection: Projection): Body {
  const { extra = {} } = defaults;
  const body: GeminiBody = {
    ...toTalk(request, defaults.model, projection),
    ...toTools(request.toolChoice, projection),
  };
  const ours = toConfig(request, defaults);
  const theirs = extra['generationConfig'];
  const generationConfig = isObject(theirs) ? { ...ours, ...theirs } : ours;
  return {
    ...body,
    ...extra,
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  };
}

/**
 * True for Gemini 3 and later and for names without a generation, such as `gemini-flash-latest`: they refuse calls without
 * a signature, and take media in tool results. Where a name misleads, the server's refusal sets it right.
 */
function isRecent(model: string): boolean {
  return /(?:^|\/)gemini-(?![12]\b)/i.test(model);
}

function toTalk(
  { messages }: ModelRequest,
  model: string,
  projection: Projection,
): Pick<GeminiBody, 'contents' | 'systemInstruction'> {
  const recent = isRecent(model);
  const contents = toContents(messages, { projection, takesMedia: recent });
  const system = messages.flatMap(message => (message.role === 'system' ? [message.content] : []));
  const text = system.filter(words => words.trim() !== '').join('\n\n');
  return {
    contents: recent ? signCalls(contents) : contents,
    ...(text === '' ? {} : { systemInstruction: { parts: [{ text }] } }),
  };
}

function toTools(
  choice: ToolChoice | undefined,
  { tools, aliasOf }: Projection,
): Pick<GeminiBody, 'tools' | 'toolConfig'> {
  if (tools.length === 0) return {};
  const declared = { tools: [{ functionDeclarations: tools.map(toDeclaration) }] };
  if (choice === undefined) return declared;
  return { ...declared, toolConfig: { functionCallingConfig: toCallingConfig(choice, aliasOf) } };
}

function toCallingConfig(choice: ToolChoice, aliasOf: Projection['aliasOf']): CallingConfig {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [aliasOf(choice.name)] };
  return { mode: choice === 'required' ? 'ANY' : choice === 'none' ? 'NONE' : 'AUTO' };
}

function toDeclaration({ name, description, parameters }: ProjectedTool): Declaration {
  return { name, description, ...(isBare(parameters) ? {} : { parameters }) };
}

/** An object without properties is refused. */
function isBare({ type, properties }: Readonly<Record<string, unknown>>): boolean {
  return type === 'object' && !(isObject(properties) && Object.keys(properties).length > 0);
}

function toConfig(request: ModelRequest, defaults: BodyDefaults): GenerationConfig {
  const { output } = request;
  const { temperature, maxTokens: maxOutputTokens } = samplingOf(request, defaults);
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(output === undefined ? {} : { responseMimeType: 'application/json', ...toSchema(output) }),
  };
}

/** Nothing when the schema cannot be said by the rules of the API. */
function toSchema({ schema }: NonNullable<ModelRequest['output']>): Pick<GenerationConfig, 'responseSchema'> {
  const projected = projectOutput(schema, 'gemini');
  return projected.ok && !isBare(projected.schema) ? { responseSchema: projected.schema } : {};
}

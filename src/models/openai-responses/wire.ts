/** Our requests as the JSON of the responses endpoint; pure. What comes back is in `stream.ts`. */
import { type ResponsesTool, toResponsesTool } from '../../projection/openai-tools.ts';
import type { Projection } from '../../projection/projection.ts';
import type { Content } from '../../tools/content.ts';
import { artifactHandle } from '../../tools/render-content.ts';
import type { AssistantMessage, ModelMessage, ModelRequest, ToolChoice, ToolMessage } from '../model.ts';
import { argumentsText } from '../provider/call-arguments.ts';
import { type Binary, imageTypes, type Media, toMedia } from '../provider/media.ts';
import { type Naming, nameFor } from '../provider/naming.ts';
import { type OutputFormat, outputFormat } from '../provider/output-format.ts';
import type { Body, BodyDefaults } from '../provider/provider.ts';
import { samplingOf } from '../provider/sampling.ts';
import { markFailure } from '../provider/tool-text.ts';
import { fromReplay, longestCallId } from './replay.ts';

export type InputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly detail: 'auto'; readonly image_url: string }
  | { readonly type: 'input_file'; readonly filename: string; readonly file_data: string };

export type InputItem =
  | { readonly role: 'system' | 'assistant'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | InputPart[] }
  | {
      readonly type: 'function_call';
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly type: 'function_call_output';
      readonly call_id: string;
      readonly output: string | InputPart[];
    };

/** The members that we write; `extra` may add any other. */
export interface ResponsesBody {
  readonly model: string;
  /** `InputItem`s, and replayed items as the provider gave them. */
  readonly input: unknown[];
  readonly store: false;
  readonly include: ['reasoning.encrypted_content'];
  readonly tools?: ResponsesTool[];
  readonly tool_choice?: 'auto' | 'none' | 'required' | { readonly type: 'function'; readonly name: string };
  readonly temperature?: number;
  readonly max_output_tokens?: number;
  readonly text?: { readonly format: { readonly type: 'json_schema' } & OutputFormat };
  readonly stream?: true;
}

/** The body of a request; members that nobody set are absent. Nothing is stored at the provider. */
export function toBody(
  request: ModelRequest,
  defaults: BodyDefaults,
  projection: Projection,
): Body & ResponsesBody {
  const { output, toolChoice } = request;
  const { tools } = projection;
  const format = output && outputFormat(output);
  const naming = nameFor(request.messages, projection, { longestCallId, fromReplay });
  const { temperature, maxTokens } = samplingOf(request, defaults);
  return {
    model: defaults.model,
    input: request.messages.flatMap(message => toItems(message, naming)),
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(tools.length === 0 ? {} : { tools: tools.map(toResponsesTool) }),
    ...(tools.length === 0 || toolChoice === undefined
      ? {}
      : { tool_choice: toToolChoice(toolChoice, projection) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(format === undefined ? {} : { text: { format: { type: 'json_schema', ...format } } }),
    ...(defaults.stream ? { stream: true } : {}),
    ...defaults.extra,
  };
}

function toToolChoice(
  choice: ToolChoice,
  { aliasOf }: Projection,
): NonNullable<ResponsesBody['tool_choice']> {
  return typeof choice === 'string' ? choice : { type: 'function', name: aliasOf(choice.name) };
}

function toItems(message: ModelMessage, naming: Naming): readonly unknown[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content } satisfies InputItem];
    case 'user':
      return [{ role: 'user', content: toInput(message.content) } satisfies InputItem];
    case 'tool':
      return [toOutput(message, naming)];
    default:
      return fromReplay(message, naming.aliasOf) ?? toTurn(message, naming);
  }
}

function toTurn({ content, toolCalls = [] }: AssistantMessage, { aliasOf, idOf }: Naming): InputItem[] {
  return [
    ...(content === '' ? [] : [{ role: 'assistant', content } as const]),
    ...toolCalls.map(
      ({ id, name, arguments: raw }) =>
        ({
          type: 'function_call',
          call_id: idOf(id),
          name: aliasOf(name),
          arguments: argumentsText(raw),
        }) as const,
    ),
  ];
}

function toOutput({ toolCallId, content, isError }: ToolMessage, { idOf }: Naming): InputItem {
  const input = toInput(content, toolCallId);
  const output =
    typeof input === 'string'
      ? markFailure(input, isError)
      : [...(isError ? [{ type: 'input_text', text: 'The tool failed.' } as const] : []), ...input];
  return { type: 'function_call_output', call_id: idOf(toolCallId), output };
}

/** Plain text where all of it is text. */
function toInput(content: string | readonly Content[], toolCallId?: string): string | InputPart[] {
  if (typeof content === 'string') return content;
  const parts = content.map((block, index) =>
    toPart(toMedia(block, takes, toolCallId && artifactHandle(toolCallId, index))),
  );
  return parts.every(part => part.type === 'input_text') ? parts.map(({ text }) => text).join('\n') : parts;
}

/** What the endpoint reads; anything else would fail the whole request. */
function takes({ kind, mimeType }: Binary): boolean {
  return kind === 'image' ? imageTypes.has(mimeType) : kind === 'file' && mimeType === 'application/pdf';
}

function toPart(media: Media): InputPart {
  if (media.kind === 'text') return { type: 'input_text', text: media.text };
  const url = `data:${media.mimeType};base64,${media.data}`;
  return media.kind === 'image'
    ? { type: 'input_image', detail: 'auto', image_url: url }
    : { type: 'input_file', filename: media.name, file_data: url };
}

/** The parts of a model's response put together: text, calls, usage and why it ended. */
import type { AssistantMessage, FinishReason, Part, Replay, ToolCall, Usage } from './model.ts';

/** Something worth knowing that changed nothing. */
export interface Note {
  readonly code: string;
  readonly message: string;
}

/** One whole response. */
export interface ModelResponse {
  readonly text: string;
  readonly reasoning: string;
  /** In the order of the model; `arguments` is raw JSON text. */
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  readonly finish: FinishReason;
  readonly notes: readonly Note[];
  /** What the provider wants back with the next request. */
  readonly replay?: Replay;
}

interface GrowingCall {
  readonly id: string;
  readonly name: string;
  readonly pieces: string[];
}

/** Takes parts one by one; `response` may be asked for at any time. */
export class PartCollector {
  readonly #text: string[] = [];
  readonly #reasoning: string[] = [];
  readonly #calls = new Map<number, GrowingCall>();
  readonly #notes: Note[] = [];
  #replay: Replay | undefined;
  #usage: Usage | undefined;
  #finish: FinishReason | undefined;

  add(part: Part): void {
    switch (part.type) {
      case 'text':
        this.#text.push(part.text);
        break;
      case 'reasoning':
        this.#reasoning.push(part.text);
        break;
      case 'tool-call-start':
        this.#calls.set(part.index, { id: part.id, name: part.name, pieces: [] });
        break;
      case 'tool-call-delta':
        this.#calls.get(part.index)?.pieces.push(part.arguments);
        break;
      case 'replay':
        this.#replay = part.replay;
        break;
      case 'usage':
        this.#usage = part.usage;
        break;
      case 'finish':
        this.#finish = part.reason;
        break;
      case 'note':
        this.#notes.push({ code: part.code, message: part.message });
        break;
      default:
        // A kind that a newer model yields; there is nothing to do with it here.
        break;
    }
  }

  /** A model that does not tell its usage used one request at least. */
  response(): ModelResponse {
    const toolCalls = [...this.#calls]
      .sort(([a], [b]) => a - b)
      .map(([, { id, name, pieces }]) => ({ id, name, arguments: pieces.join('') }));
    return {
      text: this.#text.join(''),
      reasoning: this.#reasoning.join(''),
      toolCalls,
      usage: this.#usage ?? { inputTokens: 0, outputTokens: 0, requests: 1 },
      finish: this.#finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
      notes: this.#notes,
      ...(this.#replay === undefined ? {} : { replay: this.#replay }),
    };
  }
}

/** Reads a response to its end. Rejects with whatever the model throws. */
export async function collect(parts: AsyncIterable<Part>): Promise<ModelResponse> {
  const collector = new PartCollector();
  for await (const part of parts) collector.add(part);
  return collector.response();
}

/** The response as a message of the conversation. */
export function toAssistantMessage(response: ModelResponse): AssistantMessage {
  const { text, toolCalls, reasoning, replay } = response;
  return {
    role: 'assistant',
    content: text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(replay === undefined ? {} : { replay }),
  };
}

/** One turn of a model as the AI SDK wants it back: its parts in order, with what the provider keeps beside them. */
import { encodeBase64 } from '../../basics/base64.ts';
import { isObject } from '../../basics/json.ts';
import type { Replay } from '../../models/model.ts';
import type { SdkPart } from './language-model.ts';
import { toInput } from './prompt.ts';

interface GrowingPart {
  readonly type: string;
  text: string;
  options: SdkPart | undefined;
}

/** Takes the parts of an answer; a replay is needed only when text and calls alone would not do. */
export class Turn {
  readonly #items: (SdkPart | GrowingPart)[] = [];
  readonly #growing = new Map<string, GrowingPart>();
  #needed = false;

  /** Text or reasoning in pieces; `id` tells blocks apart. */
  grow(type: 'text' | 'reasoning', id: unknown, text: string, metadata: unknown): void {
    const key = `${type} ${String(id)}`;
    let part = this.#growing.get(key);
    if (part === undefined) {
      part = { type, text: '', options: undefined };
      this.#growing.set(key, part);
      this.#items.push(part);
    }
    part.text += text;
    if (type === 'reasoning') this.#needed = true;
    if (isObject(metadata)) {
      part.options = { ...part.options, ...metadata };
      this.#needed = true;
    }
  }

  call({ toolCallId, toolName, input, providerExecuted, providerMetadata }: SdkPart): void {
    const executed = providerExecuted === true;
    this.#push(
      {
        type: 'tool-call',
        toolCallId,
        toolName,
        input: toInput(typeof input === 'string' ? input : JSON.stringify(input ?? {})),
        ...(executed ? { providerExecuted: true } : {}),
      },
      providerMetadata,
      executed,
    );
  }

  /** The result of a tool that the provider ran itself. */
  result({ toolCallId, toolName, result, isError, providerMetadata }: SdkPart): void {
    const output = { type: isError === true ? 'error-json' : 'json', value: result ?? null };
    this.#push({ type: 'tool-result', toolCallId, toolName, output }, providerMetadata, true);
  }

  file({ type, mediaType, data, providerMetadata }: SdkPart): void {
    this.#push({ type, mediaType, data: toJsonData(data) }, providerMetadata, true);
  }

  /** `undefined` when the message says it all. */
  replay(provider: string): Replay | undefined {
    if (!this.#needed) return undefined;
    const items = this.#items.flatMap(item => {
      if (!('options' in item)) return [item];
      const { type, text, options } = item as GrowingPart;
      if (text === '' && options === undefined) return [];
      return [{ type, text, ...(options === undefined ? {} : { providerOptions: options }) }];
    });
    return { provider, items };
  }

  #push(part: SdkPart, metadata: unknown, needed: boolean): void {
    const options = isObject(metadata) ? { providerOptions: metadata } : {};
    this.#items.push({ ...part, ...options });
    this.#needed ||= needed || isObject(metadata);
  }
}

/** Bytes as base64: a transcript is JSON. */
function toJsonData(data: unknown): unknown {
  if (data instanceof Uint8Array) return encodeBase64(data);
  return isObject(data) && data['data'] instanceof Uint8Array
    ? { ...data, data: encodeBase64(data['data']) }
    : data;
}

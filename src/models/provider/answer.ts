/** The body of an answer read as what it is, events or one JSON document, up to its end marker. */
import { messageOf } from '../../basics/failure.ts';
import { excerpt } from '../../basics/redact.ts';
import { SseDecoder, type SseEvent } from '../../basics/sse.ts';
import type { Part } from '../model.ts';
import { isModelError } from '../model-error.ts';
import { StreamTail } from './bare-error.ts';
import { decodeError, parseAnswer } from './decode-error.ts';
import { type FailureFacts, failureIn } from './failure.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { AnswerReader } from './provider.ts';

const mostBytes = 32 * 1024 * 1024;
/** Of all events together: a token takes some 300 bytes, so this is far above any honest answer. */
const mostStreamBytes = 8 * mostBytes;
const mostPageBytes = 16 * 1024;

/** Looks at what is there rather than at what was asked for or is declared: servers mix these up. */
export async function* readAnswer(
  exchange: HttpExchange,
  facts: FailureFacts,
  reader: AnswerReader,
): AsyncGenerator<Part> {
  const { provider, secrets } = facts;
  const head: Uint8Array[] = [];
  let sign: string | undefined;
  while (sign === undefined) {
    const piece = await exchange.read();
    if (piece === undefined) throw decodeError(provider, 'it is empty');
    head.push(piece);
    sign = firstSign(piece);
  }
  if (sign === '<') {
    const { text } = await exchange.readText(mostPageBytes, head);
    throw decodeError(provider, `it is a page, which begins: ${excerpt(text, secrets)}`);
  }
  if (sign !== '{' && sign !== '[') {
    yield* readEvents(exchange, facts, reader, head);
    return;
  }
  const { text, whole } = await exchange.readText(mostBytes, head);
  if (!whole) throw decodeError(provider, `it is longer than ${mostBytes} bytes`);
  const value = parseAnswer(text.trim(), provider);
  if (Array.isArray(value)) {
    yield* readPieces(value, facts, reader);
    return;
  }
  yield* reader.readWhole(sound(value, facts));
  if (!reader.answered) throw decodeError(provider, 'there is no answer in it');
}

/** What would be events, as one list: how some servers stream when nobody asks for events, or a proxy forgot to. */
function* readPieces(pieces: readonly unknown[], facts: FailureFacts, reader: AnswerReader): Generator<Part> {
  for (const piece of pieces) yield* reader.read(sound(piece, facts));
  if (!reader.finished) throw decodeError(facts.provider, 'the list ended before the answer was complete');
}

async function* readEvents(
  exchange: HttpExchange,
  facts: FailureFacts,
  reader: AnswerReader,
  head: readonly Uint8Array[],
): AsyncGenerator<Part> {
  const { provider } = facts;
  const decoder = new SseDecoder({ maxBytes: mostBytes });
  const tail = new StreamTail();
  const pieces = [...head];
  let bytes = 0;
  for (;;) {
    const piece = pieces.shift() ?? (await readMore(exchange, reader));
    bytes += piece?.length ?? 0;
    if (bytes > mostStreamBytes) throw decodeError(provider, `it is longer than ${mostStreamBytes} bytes`);
    for (const { data } of decode(decoder, piece, provider)) {
      if (data.trim() === '[DONE]') return;
      if (data.trim() !== '') yield* reader.read(sound(parseAnswer(data, provider), facts));
      if (reader.done) return;
    }
    if (piece !== undefined) {
      tail.keep(piece);
      continue;
    }
    if (reader.finished) return;
    throw tail.failure(facts) ?? decodeError(provider, 'the stream ended before the answer was complete');
  }
}

/** An answer that was complete is not lost to a connection that breaks after it. */
async function readMore(exchange: HttpExchange, reader: AnswerReader): Promise<Uint8Array | undefined> {
  try {
    return await exchange.read();
  } catch (error) {
    if (reader.finished && isModelError(error)) return undefined;
    throw error;
  }
}

function decode(decoder: SseDecoder, piece: Uint8Array | undefined, provider: string): readonly SseEvent[] {
  if (piece === undefined) {
    const last = decoder.end();
    return last === undefined ? [] : [last];
  }
  try {
    return decoder.push(piece);
  } catch (error) {
    throw decodeError(provider, messageOf(error));
  }
}

/** The value, unless it says that the provider failed. */
function sound(value: unknown, facts: FailureFacts): unknown {
  const failure = failureIn(value, facts);
  if (failure !== undefined) throw failure;
  return value;
}

/** The first sign that is neither blank nor a byte order mark. */
function firstSign(piece: Uint8Array): string | undefined {
  for (const byte of piece) {
    if (byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) return String.fromCharCode(byte);
  }
  return undefined;
}

/** The body of an answer read as what it is, events or one JSON document, up to its end marker. */
import { messageOf } from '../../basics/failure.ts';
import { parseJson } from '../../basics/json.ts';
import { excerpt } from '../../basics/redact.ts';
import { SseDecoder, type SseEvent } from '../../basics/sse.ts';
import type { Part } from '../model.ts';
import { isModelError } from '../model-error.ts';
import { StreamTail } from './bare-error.ts';
import { decodeError, lostError, parseAnswer } from './decode-error.ts';
import { type FailureFacts, failureIn, unanswered } from './failure.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { AnswerReader } from './provider.ts';

const mostBytes = 32 * 1024 * 1024;
/** Of all events together: a token takes some 300 bytes, so this is far above any honest answer. */
const mostStreamBytes = 8 * mostBytes;
const mostPageBytes = 16 * 1024;

const early = 'ended before the answer was complete';

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
    if (piece === undefined) throw lostError(provider, 'it is empty');
    head.push(piece);
    sign = firstSign(piece);
  }
  if (sign === '<') {
    const { text } = await exchange.readText(mostPageBytes, head);
    // Mostly of a gateway, whose server is away for a while.
    throw lostError(provider, `it is a page, which begins: ${excerpt(text, secrets)}`);
  }
  if (sign !== '{' && sign !== '[') {
    yield* readEvents(exchange, facts, reader, head);
    return;
  }
  const { text, whole } = await exchange.readText(mostBytes, head);
  if (!whole) throw decodeError(provider, `it is longer than ${mostBytes} bytes`);
  const value = parseWhole(text.trim(), provider);
  if (Array.isArray(value)) {
    yield* readPieces(value, facts, reader);
    return;
  }
  yield* reader.readWhole(sound(value, facts));
  if (!reader.answered) throw unanswered(value, facts);
}

function parseWhole(text: string, provider: string): unknown {
  if (!/[}\]]$/.test(text)) throw lostError(provider, `it ${early}: not valid JSON`);
  return parseAnswer(text, provider);
}

/** What would be events, as one list: how some servers stream when nobody asks for events, or a proxy forgot to. */
function* readPieces(pieces: readonly unknown[], facts: FailureFacts, reader: AnswerReader): Generator<Part> {
  for (const piece of pieces) yield* reader.read(sound(piece, facts));
  if (!reader.finished) throw lostError(facts.provider, `the list ${early}`);
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
    const next = pieces.shift() ?? (await readMore(exchange, reader));
    const piece = next === 'broken' ? undefined : next;
    let isCut = next === 'broken';
    bytes += piece?.length ?? 0;
    if (bytes > mostStreamBytes) throw decodeError(provider, `it is longer than ${mostStreamBytes} bytes`);
    for (const { data } of decode(decoder, piece, provider)) {
      if (data.trim() === '[DONE]') {
        if (!reader.answered) throw lostError(provider, 'it has an end and nothing before it');
        return;
      }
      isCut ||= piece === undefined && !parseJson(data).ok;
      if (isCut) break;
      if (data.trim() !== '') yield* reader.read(sound(parseAnswer(data, provider), facts));
      if (reader.done) return;
    }
    if (piece !== undefined) {
      tail.keep(piece);
      continue;
    }
    if (!reader.finished) throw tail.failure(facts) ?? lostError(provider, `the stream ${early}`);
    if (isCut && isUncounted(reader)) yield usageMissing;
    return;
  }
}

function isUncounted({ usage }: AnswerReader): boolean {
  return usage.inputTokens + usage.outputTokens === 0;
}

const usageMissing: Part = {
  type: 'note',
  code: 'usage-missing',
  message: 'the connection ended after the answer and before its tokens were told; limits do not count them',
};

/** An answer that was complete is not lost to a connection that breaks after it. */
async function readMore(
  exchange: HttpExchange,
  reader: AnswerReader,
): Promise<Uint8Array | 'broken' | undefined> {
  try {
    return await exchange.read();
  } catch (error) {
    if (reader.finished && isModelError(error)) return 'broken';
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

/** One request to the model read to its end, or left at once when the run is aborted. */
import { raceAbort } from '../basics/abort.ts';
import { checkUsage } from '../models/check-usage.ts';
import { type ModelResponse, PartCollector } from '../models/collect.ts';
import type { Model, ModelRequest, Part, RespondOptions } from '../models/model.ts';
import type { RunObserver } from './events.ts';

export interface CallFacts {
  readonly turn: number;
  readonly signal: AbortSignal | undefined;
  readonly onAttempt: NonNullable<RespondOptions['onAttempt']>;
  readonly emit: RunObserver | undefined;
}

/** Rejects with what the model throws, or with the signal's reason at once, even when the model ignores it. */
export async function callModel(
  model: Model,
  request: ModelRequest,
  facts: CallFacts,
): Promise<ModelResponse> {
  const { turn, signal, onAttempt, emit } = facts;
  signal?.throwIfAborted();
  const options: RespondOptions = signal === undefined ? { onAttempt } : { onAttempt, signal };
  const collector = new PartCollector();
  const parts = model.respond(request, options)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = parts.next();
      const { done, value } = await (signal === undefined ? next : raceAbort(next, signal));
      if (done === true) break;
      if (value.type === 'usage') checkUsage(value.usage, model.name);
      collector.add(value);
      if (emit !== undefined) forward(value, turn, emit);
    }
  } catch (error) {
    leave(parts);
    throw error;
  }
  return nameCalls(collector.response(), turn);
}

function forward(part: Part, turn: number, emit: RunObserver): void {
  if (part.type === 'text') emit({ type: 'text-delta', turn, text: part.text });
  else if (part.type === 'reasoning') emit({ type: 'reasoning-delta', turn, text: part.text });
  else if (part.type === 'note') emit({ type: 'note', turn, code: part.code, message: part.message });
}

/** Frees what the model holds; one that ignores the signal is not waited for. */
function leave(parts: AsyncIterator<Part>): void {
  void (async () => await parts.return?.())().catch(() => undefined);
}

/** Each call of a response needs an id of its own, or its result could not be told from another's. */
function nameCalls(response: ModelResponse, turn: number): ModelResponse {
  const seen = new Set<string>();
  const unique = response.toolCalls.every(({ id }) => id !== '' && !seen.has(id) && seen.add(id));
  if (unique) return response;
  const taken = new Set(response.toolCalls.map(call => call.id));
  const used = new Set<string>(['']);
  const toolCalls = response.toolCalls.map((call, index) => {
    let id = call.id;
    for (let attempt = 0; used.has(id) || (id !== call.id && taken.has(id)); attempt += 1) {
      id = `call_${turn}_${index}${attempt === 0 ? '' : `_${attempt}`}`;
    }
    used.add(id);
    return { ...call, id };
  });
  return { ...response, toolCalls };
}

/** One request to the model read to its end, or left at once when the run is aborted. */
import { raceAbort } from '../basics/abort.ts';
import { checkUsage } from '../models/check-usage.ts';
import { type ModelResponse, PartCollector } from '../models/collect.ts';
import type { Model, ModelRequest, Part, RespondOptions } from '../models/model.ts';
import { CallNames } from './calls/call-names.ts';
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
  const names = new CallNames(turn, request.messages);
  const parts = model.respond(request, options)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = parts.next();
      const { done, value } = await (signal === undefined ? next : raceAbort(next, signal));
      if (done === true) break;
      if (value.type === 'usage') checkUsage(value.usage, model.name);
      const part = value.type === 'tool-call-start' ? names.begin(value) : value;
      collector.add(part);
      if (emit !== undefined) forward(part, turn, names, emit);
    }
  } catch (error) {
    leave(parts);
    throw error;
  }
  return collector.response();
}

function forward(part: Part, turn: number, names: CallNames, emit: RunObserver): void {
  if (part.type === 'text') emit({ type: 'text-delta', turn, text: part.text });
  else if (part.type === 'reasoning') emit({ type: 'reasoning-delta', turn, text: part.text });
  else if (part.type === 'note') emit({ type: 'note', turn, code: part.code, message: part.message });
  else if (part.type === 'tool-call-start' || part.type === 'tool-call-delta') {
    const call = names.find(part.index);
    const text = part.type === 'tool-call-delta' ? part.arguments : '';
    if (call !== undefined) emit({ type: 'tool-input-delta', turn, ...call, arguments: text });
  }
}

/** Frees what the model holds; one that ignores the signal is not waited for. */
function leave(parts: AsyncIterator<Part>): void {
  void (async () => await parts.return?.())().catch(() => undefined);
}

/** A call in a span of its own, under the span that its client sent along. */
import { readTraceContext, type TraceContext, type Tracer, traced } from '../basics/trace.ts';
import { type Call, isRoundEnded, type Outcome } from '../protocol/call.ts';
import { readObject } from '../protocol/identity.ts';
import { resultAttributes, spanOf } from '../protocol/span.ts';

/** Where the spans of calls stand, for what their handlers begin. */
const contexts = new WeakMap<Call, TraceContext>();

/** The context of the span that the call runs in; none without a tracer. */
export function traceOf(call: Call): TraceContext | undefined {
  return contexts.get(call);
}

export async function traceCall(
  tracer: Tracer,
  call: Call,
  run: (call: Call) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { method, params, client, id, session } = call;
  const parent = readTraceContext(readObject(params['_meta']));
  const span = spanOf(method, params, { revision: client.revision, session });
  const attributes =
    id === undefined ? span.attributes : { ...span.attributes, 'jsonrpc.request.id': `${id}` };
  const about = { name: span.name, attributes, parent, kind: 'server' } as const;
  const outcome = await traced(tracer, about, async (context, note) => {
    if (context) contexts.set(call, context);
    try {
      const answered = await run(call);
      note(resultAttributes(method, params, answered.value, tracer));
      return answered;
    } catch (thrown) {
      // A question on its way is no failure of the call.
      if (isRoundEnded(thrown)) return thrown;
      throw thrown;
    }
  });
  if (isRoundEnded(outcome)) throw outcome;
  return outcome;
}

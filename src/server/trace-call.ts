/** A call in a span of its own, under the span that its client sent along. */
import { readTraceContext, type Tracer, traced } from '../basics/trace.ts';
import { type Call, isRoundEnded, type Outcome } from '../protocol/call.ts';
import { readObject } from '../protocol/identity.ts';
import { spanOf } from '../protocol/span.ts';

export async function traceCall(
  tracer: Tracer,
  call: Call,
  run: (call: Call) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const parent = readTraceContext(readObject(call.params['_meta']));
  const outcome = await traced(tracer, { ...spanOf(call.method, call.params), parent }, async () => {
    try {
      return await run(call);
    } catch (thrown) {
      // A question on its way is no failure of the call.
      if (isRoundEnded(thrown)) return thrown;
      throw thrown;
    }
  });
  if (isRoundEnded(outcome)) throw outcome;
  return outcome;
}

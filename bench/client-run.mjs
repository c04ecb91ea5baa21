/** The run of a measured client: so many calls, so many in flight, its own CPU time at the end as one line. */
import { text } from './messages.mjs';

/** `call` makes one call of `echo` and resolves with the text it got back. */
export async function measureCalls(call, { calls, warmUp, inFlight }) {
  await many(call, warmUp, inFlight);
  const before = process.cpuUsage();
  const began = performance.now();
  await many(call, calls, inFlight);
  const { user, system } = process.cpuUsage(before);
  const perSecond = calls / ((performance.now() - began) / 1000);
  console.log(JSON.stringify({ value: (user + system) / calls, perSecond }));
}

/** So many calls, so many in flight; every answer is looked at. */
export async function many(call, times, inFlight, isRight = got => got === text) {
  let next = 0;
  const worker = async () => {
    while (next < times) {
      next += 1;
      const got = await call();
      if (!isRight(got)) throw new Error(`a call gave ${JSON.stringify(got)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** What the runner asked for: a JSON text as the only argument. */
export const asked = JSON.parse(process.argv[2] ?? '{}');

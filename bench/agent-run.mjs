/** Runs of an agent with a scripted model, and their CPU time for each turn at the end as one line. */
import { text } from './messages.mjs';

/** What the agents are told, and what their models say in the end. */
export const prompt = 'Say it again until it is said.';
export const answer = 'It is said.';
export const instructions = 'You say things again.';

/** What the script has the model say in turn `done` of `turns`, counted from 0: a call in every turn but the last. */
export const scriptedCall = (done, turns) =>
  done < turns - 1 ? { id: `call_${done}`, name: 'echo', arguments: JSON.stringify({ text }) } : undefined;

/** What the tool does, and how often it did. */
export const echo = {
  calls: 0,
  run(given) {
    echo.calls += 1;
    return given.text;
  },
};

/** `run` makes one run of that many turns, a tool call in every turn but the last, and resolves with its answer. */
export async function measureRuns(run, { turns, runs, warmUp }) {
  await many(run, turns, warmUp);
  const before = process.cpuUsage();
  const began = performance.now();
  await many(run, turns, runs);
  const { user, system } = process.cpuUsage(before);
  const perSecond = (runs * turns) / ((performance.now() - began) / 1000);
  console.log(JSON.stringify({ value: (user + system) / (runs * turns), perSecond }));
  process.exit(0);
}

async function many(run, turns, runs) {
  for (let done = 0; done < runs; done += 1) {
    echo.calls = 0;
    const said = await run(turns);
    if (said !== answer || echo.calls !== turns - 1)
      throw new Error(`a run gave ${said} after ${echo.calls} calls`);
  }
}

/** A loop with tools that is cut off between two calls and goes on from its checkpoint: no tool runs twice. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from 'tenon';
// #region loop
import { Budget, reactLoop } from 'tenon/patterns';
// #endregion
import { scripted } from 'tenon/testing';

const file = join(tmpdir(), `tenon-react-loop-${process.pid}.json`);
const cuts: string[] = [];
const cut = tool({
  name: 'cut',
  description: 'Cuts a board to a length in millimetres',
  input: {
    type: 'object',
    properties: { board: { type: 'string' }, length: { type: 'integer' } },
    required: ['board', 'length'],
  },
  run({ board, length }) {
    cuts.push(board);
    return `${board} is ${length} mm long`;
  },
});
const call = (board: string) => ({ name: 'cut', arguments: { board, length: 420 } });
const model = scripted([{ toolCalls: [call('rail'), call('stile')] }, 'Both are 420 mm long.']);

const power = new AbortController();
const prompt = 'Cut a rail and a stile, 420 mm each.';
// #region loop
const options = { tools: [cut], maxRounds: 6, concurrency: 1 };
const first = reactLoop(model, prompt, {
  ...options,
  budget: new Budget({ calls: 10 }),
  signal: power.signal,
  onCheckpoint(checkpoint) {
    // Written before the loop does anything else.
    writeFileSync(file, JSON.stringify(checkpoint));
    if (cuts.length === 1) power.abort(new Error('the power went out'));
  },
});
// #endregion
await first.catch((error: Error) => console.log(error.message));

// #region resume
const { value, cost, evidence } = await reactLoop(model, prompt, {
  ...options,
  // What was spent before counts for this budget too.
  budget: new Budget({ calls: 10 }),
  resume: JSON.parse(readFileSync(file, 'utf8')),
});
// #endregion
rmSync(file);
console.log(`${value} ${cost.calls} model calls, ${evidence.toolCalls} tool calls, cut: ${cuts.join(', ')}`);

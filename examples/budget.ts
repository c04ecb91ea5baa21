/** A budget of calls, tokens, money and time, shared by everything it is given to. */
// #region budget
import { Budget, consensus, isPatternError, mapReduce } from 'tenon/patterns';
// #endregion
import { scripted } from 'tenon/testing';

const model = scripted([{ text: 'oak', usage: { inputTokens: 15, outputTokens: 50 } }], { cycle: true });

// #region budget
const day = new Budget({ money: 0.02, rates: { input: 3, output: 15 } });

// Each task has a part of the day's.
await consensus(model, 'Which wood for a bench?', {
  maxTokens: 100,
  budget: day.child({ calls: 5, ms: 60_000 }),
});

const letters = Array.from({ length: 40 }, (_, index) => `Letter ${index + 1}`);
const failure = await mapReduce(model, letters, {
  map: 'Which wood does it ask for? {item}',
  reduce: '{results}',
  maxTokens: 100,
  budget: day,
}).catch((error: unknown) => error);
// #endregion

const { inputTokens, outputTokens, calls } = day.spent;
const money = (inputTokens * 3 + outputTokens * 15) / 1e6;
console.log(`${calls} calls for ${money.toFixed(4)} of 0.02`);
if (isPatternError(failure)) console.log(`${failure.kind}: ${failure.message}`);

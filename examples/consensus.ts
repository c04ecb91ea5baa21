/** One question asked several times: the answer most of the samples give, the share that agrees, and what it cost. */
// #region ask
import { consensus } from 'tenon/patterns';
// #endregion
import { scripted } from 'tenon/testing';

const model = scripted(['mortise', 'Mortise and tenon', 'mortise', ' mortise ', 'dovetail']);

// #region ask
const { value, score, cost, evidence } = await consensus(model, 'What does a tenon fit into? One word.', {
  samples: 5,
});
// #endregion

console.log(`answer: ${value}`);
console.log(`agreement: ${score}, distinct answers: ${evidence.distinct}`);
console.log(`cost: ${cost.calls} model calls`);

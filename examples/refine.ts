/** A draft that is judged and improved from the best so far, until it is good enough. */
// #region refine
import { refine } from 'tenon/patterns';
// #endregion
import { scripted } from 'tenon/testing';

const model = scripted([
  'A joint is where wood meets.',
  '5\nSay how it holds.',
  'A tenon fills its mortise, and glue holds the two.',
  '9\nGood.',
]);

// #region refine
const { value, score, evidence } = await refine(model, 'Explain a mortise and tenon joint in a sentence.', {
  criteria: 'A newcomer must understand it.',
  target: 0.9,
  maxIterations: 3,
});
// #endregion

console.log(`${value} (${score}, drafts: ${evidence.scores.join(', ')})`);

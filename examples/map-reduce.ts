/** One question about each of many texts, some at once, and one answer made of all of them. */
// #region map
import { mapReduce } from 'tenon/patterns';
// #endregion
import { scripted } from 'tenon/testing';

const model = scripted(
  [
    ({ messages }) => {
      const asked = String(messages[0]?.content);
      return asked.startsWith('Who') ? 'Ada: oak, Ben: ash' : (asked.match(/oak|ash/)?.[0] ?? 'none');
    },
  ],
  { cycle: true },
);

// #region map
const letters = ['Ada wants oak.', 'Ben asks for ash.'];
const { value, score, evidence } = await mapReduce(model, letters, {
  map: 'Letter {number} of {count}. Which wood does it ask for? One word.\n\n{item}',
  reduce: 'Who wants which wood? One line.\n\n{results}',
  concurrency: 5,
  onItemFailure: 'skip',
});
// #endregion

console.log(`${value} (${score} of the letters, each said: ${evidence.mapped.join(', ')})`);

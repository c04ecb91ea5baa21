/** Patterns one after the other: typed from step to step, within one budget. */
// #region pipe
import { Budget, consensus, isPatternError, pipe, structured } from 'tenon/patterns';
// #endregion
import { scripted } from 'tenon/testing';

const model = scripted(['420', '420', '42', '{"millimetres":420}']);

// #region pipe
const length = {
  type: 'object',
  properties: { millimetres: { type: 'integer' } },
  required: ['millimetres'],
} as const;
const measure = pipe(model)
  .step('vote', (text, use) => consensus(use.model, text, { ...use, samples: 3, normalise: 'number' }))
  .step('read', (text, use) => structured(use.model, `As data: ${text} mm`, { ...use, schema: length }))
  .step('convert', ({ millimetres }) => millimetres / 25.4);

const { value, cost, evidence } = await measure.run('How long is the rail of this door, in millimetres?', {
  budget: new Budget({ calls: 6 }),
});
// #endregion

const spent = evidence.steps.map(step => `${step.name} ${step.cost.calls}`).join(', ');
console.log(`${value.toFixed(1)} inches for ${cost.calls} model calls: ${spent}`);

// #region fail
const failure = await measure
  .run('And of the frame?', { budget: new Budget({ calls: 2 }) })
  .catch(error => error);
if (isPatternError(failure)) console.log(`${failure.kind}: ${failure.message}`);
// #endregion

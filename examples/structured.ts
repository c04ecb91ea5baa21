/** Data of a schema out of prose: found in the answer, judged, and mended by the model. */
// #region extract
import { structured } from 'tenon/patterns';
// #endregion
import { scripted } from 'tenon/testing';

const model = scripted([
  'Sure! ```json\n{"wood": "oak", "length": "two metres"}\n```',
  '{"wood": "oak", "length": 2000}',
]);

// #region extract
const order = {
  type: 'object',
  properties: { wood: { type: 'string' }, length: { type: 'integer', description: 'In millimetres' } },
  required: ['wood', 'length'],
  additionalProperties: false,
} as const;
const { value, evidence } = await structured(model, 'Two metres of oak, please.', {
  schema: order,
  validate: ({ length }) => length <= 6000 || 'no board is longer than 6000 mm',
});
// #endregion

console.log(`${value.length} mm of ${value.wood}, after ${evidence.attempts} answers`);
for (const reason of evidence.rejections) console.log(`mended: ${reason}`);

/** Data instead of text: by a schema, by a tool, or by a function of one's own, with corrections by the model. */
import { Agent, ToolError } from 'tenon';
import { scripted } from 'tenon/testing';

const weather = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
} as const;

const careless = scripted([
  { toolCalls: [{ name: 'final_answer', arguments: { city: 'Oslo', degrees: 'four' } }] },
  { toolCalls: [{ name: 'final_answer', arguments: { city: 'Oslo', degrees: 4 } }] },
]);
// #region schema
const reporter = new Agent({ model: careless, output: weather, outputMode: 'tool' });
const { output: report } = await reporter.run('How is the weather in Oslo?');
console.log(`${report.degrees} degrees in ${report.city}`);
// #endregion

const wordy = scripted(['About forty, I think.', '42']);
// #region decode
const counter = new Agent({
  model: wordy,
  decode(text) {
    const count = Number(text);
    // The model reads this and answers again.
    if (Number.isNaN(count)) throw new ToolError('Answer with a number and nothing else.');
    return count;
  },
});
const { output: count } = await counter.run('How many boxes are left?');
// #endregion
console.log(`${count + 1} with the one in the hall`);

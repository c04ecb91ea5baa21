/** An agent that another agent uses as a tool: one prompt in, its output back, and what it spends counts above. */
import { tool } from 'tenon';
import { Agent } from 'tenon/agent';
import { scripted } from 'tenon/testing';

const measure = tool({ name: 'measure', description: 'Measures a board.', run: () => '41 mm' });
const joinersModel = scripted([
  { toolCalls: [{ name: 'measure' }], usage: { inputTokens: 120, outputTokens: 10 } },
  { text: 'A tenon of 14 mm, a third of the board.', usage: { inputTokens: 140, outputTokens: 15 } },
]);
const model = scripted([
  {
    toolCalls: [{ name: 'ask_joiner', arguments: { prompt: 'How thick should the tenon be?' } }],
    usage: { inputTokens: 80, outputTokens: 20 },
  },
  { text: 'Cut it 14 mm thick.', usage: { inputTokens: 110, outputTokens: 8 } },
]);

// #region delegate
const joiner = new Agent({ model: joinersModel, tools: [measure], instructions: 'Measure, then answer.' });
const foreman = new Agent({
  model,
  tools: [joiner.asTool({ name: 'ask_joiner', description: 'Knows joints. Ask in one sentence.' })],
  // Holds for both of them together.
  limits: { requests: 10 },
});
const { output, usage } = await foreman.run('We make a table. What do I cut?', {
  onEvent: event => {
    if (event.type === 'delegated' && event.event.type === 'tool-end') console.log(event.event.result);
  },
});
// #endregion

console.log(output);
console.log(`${usage.requests} requests, ${usage.inputTokens} tokens in`);

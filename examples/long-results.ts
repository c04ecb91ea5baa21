/** A result that is too long for the model: it is shown what fits, reads on with a tool, and nothing is lost. */
import { Agent, image, text, tool } from 'tenon';
import { findArtifact } from 'tenon/agent';
import { scripted } from 'tenon/testing';

const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, city: 'Oslo', degrees: id % 30 }));
const measured = tool({
  name: 'measured',
  description: 'All that was measured, and a chart of it for the user.',
  run: () => ({
    content: [
      image('iVBORw0KGgo=', 'image/png', { annotations: { audience: ['user'] } }),
      text(JSON.stringify(rows)),
    ],
  }),
});

/** What the notice of a cut says of how to read on. */
const handleIn = (shown: unknown): string | undefined => /handle "([^"]+)"/.exec(String(shown))?.[1];

const model = scripted([
  { toolCalls: [{ name: 'measured' }] },
  ({ messages }) => ({
    toolCalls: [{ name: 'read_more', arguments: { handle: handleIn(messages.at(-1)?.content) } }],
  }),
  'It was 7 degrees at most times.',
]);

// #region budget
const agent = new Agent({ model, tools: [measured], maxResultTokens: 2_000 });
const { messages } = await agent.run('How warm was it?');
// The model was shown whole rows within the budget; the transcript has all of them, and what was for the user alone.
const chart = findArtifact(messages, 'call_1#0');
// #endregion

for (const request of model.requests.slice(1)) {
  const shown = String(request.messages.at(-1)?.content);
  console.log(`shown: ${shown.slice(0, 40)}… ${shown.slice(shown.indexOf('\n') + 1)}`);
}
console.log(`for the user: ${chart?.type}`);

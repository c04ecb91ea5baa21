/** The least that a loop does: asks the model, runs the tool it calls, tells it the result, until it answers. */
import { answer, echo, instructions, measureRuns, prompt, scriptedCall } from '../agent-run.mjs';
import { asked } from '../client-run.mjs';

function scripted(turns) {
  let done = 0;
  return async () => {
    const call = scriptedCall(done, turns);
    done += 1;
    return call === undefined ? { text: answer } : { calls: [call] };
  };
}

const tools = { echo: echo.run };

async function run(turns) {
  const model = scripted(turns);
  const messages = [
    { role: 'system', content: instructions },
    { role: 'user', content: prompt },
  ];
  for (;;) {
    const { text, calls } = await model({ messages });
    if (calls === undefined) return text;
    messages.push({ role: 'assistant', calls });
    for (const { id, name, arguments: given } of calls) {
      messages.push({ role: 'tool', id, content: await tools[name](JSON.parse(given)) });
    }
  }
}

await measureRuns(run, asked);

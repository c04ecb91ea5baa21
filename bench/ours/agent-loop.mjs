/** Our agent with a scripted model. */
import { Agent } from 'tenon/agent';
import { tool } from 'tenon/server';
import { answer, echo, instructions, measureRuns, prompt, scriptedCall } from '../agent-run.mjs';
import { asked } from '../client-run.mjs';
import { listings } from '../messages.mjs';

const usage = { inputTokens: 100, outputTokens: 20, requests: 1 };

function scripted(turns) {
  let done = 0;
  return {
    name: 'bench/scripted',
    async *respond() {
      const call = scriptedCall(done, turns);
      done += 1;
      if (call === undefined) yield { type: 'text', text: answer };
      else {
        yield { type: 'tool-call-start', index: 0, id: call.id, name: call.name };
        yield { type: 'tool-call-delta', index: 0, arguments: call.arguments };
      }
      yield { type: 'usage', usage };
      yield { type: 'finish', reason: call === undefined ? 'stop' : 'tool-calls' };
    },
  };
}

const [{ name, description, inputSchema: input }] = listings;
const tools = [tool({ name, description, input, run: echo.run })];

async function run(turns) {
  const agent = new Agent({ model: scripted(turns), instructions, tools, maxTurns: turns });
  return (await agent.run(prompt)).output;
}

await measureRuns(run, asked);

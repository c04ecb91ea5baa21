/** The loop of OpenAI Agents with a scripted model; its tracing, which sends over HTTP, is off. */
import { Agent, run as runAgent, setTracingDisabled, tool, Usage } from '@openai/agents';
import { z } from 'zod';
import { answer, echo, instructions, measureRuns, prompt, scriptedCall } from '../../agent-run.mjs';
import { asked } from '../../client-run.mjs';
import { listings } from '../../messages.mjs';

setTracingDisabled(true);

function scripted(turns) {
  let done = 0;
  return {
    async getResponse() {
      const call = scriptedCall(done, turns);
      done += 1;
      const item =
        call === undefined
          ? {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: answer }],
            }
          : {
              type: 'function_call',
              callId: call.id,
              name: call.name,
              arguments: call.arguments,
              status: 'completed',
            };
      const usage = new Usage({ requests: 1, inputTokens: 100, outputTokens: 20, totalTokens: 120 });
      return { usage, output: [item] };
    },
  };
}

const tools = [
  tool({
    name: 'echo',
    description: listings[0].description,
    parameters: z.object({ text: z.string() }),
    execute: echo.run,
  }),
];

async function run(turns) {
  const agent = new Agent({ name: 'bench', instructions, model: scripted(turns), tools });
  return (await runAgent(agent, prompt, { maxTurns: turns })).finalOutput;
}

await measureRuns(run, asked);

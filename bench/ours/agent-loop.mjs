/** Our agent with a scripted model. */
import { Agent } from 'tenon/agent';
import { tool } from 'tenon/server';
import { echo, instructions, measureRuns, prompt } from '../agent-run.mjs';
import { asked } from '../client-run.mjs';
import { listings } from '../messages.mjs';
import { scripted } from './scripted-model.mjs';

const [{ name, description, inputSchema: input }] = listings;
const tools = [tool({ name, description, input, run: echo.run })];

async function run(turns) {
  const agent = new Agent({ model: scripted(turns), instructions, tools, maxTurns: turns });
  return (await agent.run(prompt)).output;
}

await measureRuns(run, asked);

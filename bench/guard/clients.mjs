/** What our clients allocate for a call, and an agent for a turn. The servers of clients are the floor's, in processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'tenon/agent';
import { connect, http } from 'tenon/client';
import { tool } from 'tenon/server';
import { stdio } from 'tenon/stdio';
import { answer, echo, instructions, prompt } from '../agent-run.mjs';
import { listings, revisions, text } from '../messages.mjs';
import { server } from '../ours/definition.mjs';
import { scripted } from '../ours/scripted-model.mjs';
import { programOf } from '../subject.mjs';
import { allocated } from './count.mjs';

async function callsTo(target, era) {
  const client = await connect(target, { protocol: revisions[era] });
  const bytes = await allocated(async () => {
    const { content } = await client.call('echo', { text });
    if (content[0].text !== text) throw new Error(`a call gave ${JSON.stringify(content)}`);
  });
  await client.close();
  return bytes;
}

export const inMemory = era => callsTo(server, era);

export const stdioClient = era =>
  callsTo(stdio({ command: process.execPath, args: [programOf('floor', 'stdio-server')] }), era);

export async function httpClient(era) {
  const child = spawn(process.execPath, [programOf('floor', 'http-server')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    return await callsTo(http(String((await once(child.stdout, 'data'))[0]).trim()), era);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

const turns = 10;

/** A turn of a run in which a scripted model calls the one tool in every turn but the last. */
export function agentTurn() {
  const [{ name, description, inputSchema: input }] = listings;
  const tools = [tool({ name, description, input, run: echo.run })];
  return allocated(async () => {
    const agent = new Agent({ model: scripted(turns), instructions, tools, maxTurns: turns });
    const { output } = await agent.run(prompt);
    if (output !== answer) throw new Error(`a run gave ${output}`);
  }, turns);
}

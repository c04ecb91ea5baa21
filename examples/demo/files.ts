/** The demo: an agent tidies a folder through a published MCP server, and every step is printed as it happens. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, connect, type Model, toolset } from 'tenon';
import { modelFromEnvironment } from 'tenon/models';
import { stdio } from 'tenon/stdio';
import { scripted } from 'tenon/testing';
import { installPeer } from './install-peer.ts';

const task =
  'Read notes.txt in this folder and write a file todo.txt with one line per open task, nothing else.';
const notes = 'Sharpen the chisels (done)\nOrder oak boards (open)\nOil the workbench (open)\n';

const configured = process.env['TENON_MODEL'] !== undefined || process.env['TENON_BASE_URL'] !== undefined;
const server = await installPeer(
  'reference-servers',
  '@modelcontextprotocol/server-filesystem/dist/index.js',
);
const folder = await mkdtemp(join(tmpdir(), 'tenon-demo-'));

try {
  await writeFile(join(folder, 'notes.txt'), notes);
  const model = configured ? await modelFromEnvironment(process.env) : standIn(folder);
  say(
    'model',
    configured ? model.name : 'none is configured (TENON_BASE_URL, TENON_MODEL): a scripted one stands in',
  );
  await run(model);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run(model: Model): Promise<void> {
  const client = await connect(stdio({ command: process.execPath, args: [server, folder] }));
  try {
    say('server', `${client.server.name} ${client.server.version}, protocol revision ${client.revision}`);
    const tools = await toolset(client).tools();
    say('tools', tools.map(({ name }) => name).join(', '));
    const agent = new Agent({ model, tools, instructions: `You may use files in ${folder} only.` });
    say('task', task);
    const run = agent.stream(task);
    for await (const event of run) {
      if (event.type === 'turn-start') say('turn', String(event.turn));
      else if (event.type === 'tool-call') say('call', `${event.tool} ${event.arguments}`);
      else if (event.type === 'tool-end') say(event.isError ? 'failed' : 'result', firstLine(event.result));
    }
    const { output, usage } = await run.result;
    say('answer', output);
    say('used', `${usage.requests} model requests, ${usage.inputTokens + usage.outputTokens} tokens`);
  } finally {
    await client.close();
  }
  const names = await readdir(folder);
  if (!names.includes('todo.txt')) throw new Error('the agent did not write todo.txt');
  say('on disk', JSON.stringify(await readFile(join(folder, 'todo.txt'), 'utf8')));
}

/** Does what a model would: reads, then writes what it read to be open. */
function standIn(folder: string): Model {
  const path = join(folder, 'todo.txt');
  return scripted([
    { toolCalls: [{ name: 'read_text_file', arguments: { path: join(folder, 'notes.txt') } }] },
    request => {
      const read = request.messages.findLast(message => message.role === 'tool');
      const lines = String(read?.content).split('\n');
      const open = lines.flatMap(line => /^(.*) \(open\)$/.exec(line)?.[1] ?? []);
      return {
        toolCalls: [
          { name: 'write_file', arguments: { path, content: `${[...new Set(open)].join('\n')}\n` } },
        ],
      };
    },
    'I have written the open tasks to todo.txt.',
  ]);
}

function firstLine(result: unknown): string {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const [line = '', ...rest] = text.split('\n');
  return rest.length > 0 ? `${line} … (${rest.length} more lines)` : line;
}

function say(what: string, text: string): void {
  console.log(`${what.padStart(8)}  ${text}`);
}

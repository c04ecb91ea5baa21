/** A run that stops until somebody agrees, is kept as JSON, and goes on in another process. The file is both. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from 'tenon';
import { Agent } from 'tenon/agent';
import { scripted } from 'tenon/testing';

// #region tool
const input = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
} as const;
const discard = tool({
  name: 'discard',
  description: 'Discards a plan.',
  input,
  needsApproval: ({ path }) => !path.startsWith('scratch/'),
  run: ({ path }) => `${path} is gone`,
});
// #endregion

const steps = [
  {
    toolCalls: [
      { name: 'discard', arguments: { path: 'scratch/bench' } },
      { name: 'discard', arguments: { path: 'plans/chair' } },
      { name: 'discard', arguments: { path: 'plans/table' } },
    ],
  },
  'The scratch and the chair are gone. The table stays.',
];

const [mode = 'start', file = ''] = process.argv.slice(2);
const model = scripted(mode === 'start' ? steps : steps.slice(1));
/** Stands for a database. */
const storeAt = (path: string) => ({
  save: (text: string): void => writeFileSync(path, text),
  load: (): string => readFileSync(path, 'utf8'),
});

if (mode === 'start') {
  const folder = mkdtempSync(join(tmpdir(), 'paused-'));
  const file = join(folder, 'run.json');
  const store = storeAt(file);
  // #region pause
  const agent = new Agent({ name: 'keeper', model, tools: [discard], pause: true });
  const outcome = await agent.run('Tidy up.');
  if (outcome.paused) {
    store.save(JSON.stringify(outcome.state));
    for (const { id, tool, arguments: args } of outcome.pending) {
      console.log(`${id}: may ${tool} run with ${JSON.stringify(args)}?`);
    }
  }
  // #endregion
  const { status } = spawnSync(process.execPath, [String(process.argv[1]), 'resume', file], {
    stdio: 'inherit',
  });
  rmSync(folder, { recursive: true });
  process.exitCode = status ?? 1;
} else {
  const store = storeAt(file);
  // #region resume
  const agent = new Agent({ name: 'keeper', model, tools: [discard], pause: true });
  const outcome = await agent.resume(store.load(), {
    call_2: true,
    call_3: { allow: false, reason: 'the table is still to be built' },
  });
  if (!outcome.paused) console.log(outcome.output);
  // #endregion
  for (const message of outcome.messages) {
    if (message.role === 'tool') console.log(`${message.toolCallId}: ${String(message.content)}`);
  }
}

/** A tool that runs only when somebody agrees: asked with its name and arguments, and what a refusal does. */
import { Agent, tool } from 'tenon';
// #region gate
import { withApproval } from 'tenon/patterns';
// #endregion
import { scripted } from 'tenon/testing';

const input = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
} as const;
const read = tool({
  name: 'read',
  description: 'Reads a plan.',
  input,
  run: ({ path }) => `plan of ${path}`,
});
const discard = tool({ name: 'discard', description: 'Discards a plan.', input, run: () => 'discarded' });

const model = scripted([
  { toolCalls: [{ name: 'read', arguments: { path: 'bench' } }] },
  { toolCalls: [{ name: 'discard', arguments: { path: 'bench' } }] },
  'The plan stays.',
]);

/** Stands for a dialog. */
const askPerson = async (name: string, args: unknown): Promise<boolean> => {
  console.log(`may ${name} run with ${JSON.stringify(args)}? no`);
  return false;
};

// #region gate
const tools = withApproval([read, discard], {
  tools: ['discard'],
  timeout: 60_000,
  ask: async request =>
    (await askPerson(request.tool, request.arguments)) || { allow: false, reason: 'plans are kept' },
});
const { output, messages } = await new Agent({ model, tools }).run('Tidy up the plans.');
// #endregion

for (const message of messages) if (message.role === 'tool') console.log(`tool: ${String(message.content)}`);
console.log(output);

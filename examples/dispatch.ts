/** A server tried in process: one message in, its answer out; no transport, no handshake, no client. */
import { dispatch, Server, tool } from 'tenon/server';

const server = new Server({
  name: 'kitchen',
  version: '1.0.0',
  tools: [
    tool({
      name: 'brew',
      description: 'Brews tea.',
      input: {
        type: 'object',
        properties: { kind: { enum: ['green', 'black'] }, minutes: { type: 'integer', minimum: 1 } },
        required: ['kind'],
        additionalProperties: false,
      },
      run({ kind, minutes = 3 }, { progress, principal }) {
        progress(1, { total: 1, message: 'poured' });
        return `${kind} tea for ${principal ?? 'anybody'}, after ${minutes} minutes`;
      },
    }),
  ],
});

async function show(title: string, message: unknown, context = {}): Promise<void> {
  console.log(`\n${title}`);
  console.log('  >', JSON.stringify(message));
  const answer = await dispatch(server, message, {
    ...context,
    onMessage: said => console.log('  <', JSON.stringify(said)),
  });
  console.log('  <', answer === undefined ? '(nothing)' : JSON.stringify(answer));
}

const call = (args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'brew', arguments: args, _meta: { progressToken: 'p' } },
});

await show('The list of tools', { jsonrpc: '2.0', id: 0, method: 'tools/list' });
await show('A call, for a caller who proved who they are', call({ kind: 'green' }), { principal: 'ann' });
await show('Arguments that do not fit', call({ kind: 'gren', minuts: 2 }));
await show('A method that is not there', { jsonrpc: '2.0', id: 'x', method: 'brew' });
await show('A notification has no answer', { jsonrpc: '2.0', method: 'notifications/initialized' });

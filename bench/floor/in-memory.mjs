/** The floor within one process: a message handed over a microtask later, a map of ids, no JSON. */
import { asked, measureCalls } from '../client-run.mjs';
import { text } from '../messages.mjs';
import { resultOf } from './answer.mjs';

const waiting = new Map();
let lastId = 0;

const deliver = ({ id, result }) => {
  waiting.get(id)(result);
  waiting.delete(id);
};
const serve = message => {
  const answer = { jsonrpc: '2.0', id: message.id, result: resultOf(message) };
  queueMicrotask(() => deliver(answer));
};
const call = async () => {
  const id = ++lastId;
  const params = { name: 'echo', arguments: { text } };
  const result = await new Promise(resolve => {
    waiting.set(id, resolve);
    queueMicrotask(() => serve({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  });
  return result.content[0].text;
};
await measureCalls(call, asked);

/** A model that calls the one tool in every turn of a run but the last. */
import { answer, scriptedCall } from '../agent-run.mjs';

const usage = { inputTokens: 100, outputTokens: 20, requests: 1 };

export function scripted(turns) {
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

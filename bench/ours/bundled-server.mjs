/** Our stdio server in one file, as a program of its own would have it. */
import { Server, tool } from 'tenon/server';
import { serveStdio } from 'tenon/stdio';

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const terms = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
};
const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };

serveStdio(
  new Server({
    name: 'bundled',
    version: '1.0.0',
    tools: [
      tool({ name: 'echo', description: 'Says it again.', input: text, run: given => given.text }),
      tool({
        name: 'add',
        description: 'Adds two numbers.',
        input: terms,
        output: sum,
        run: ({ a, b }) => ({ sum: a + b }),
      }),
    ],
  }),
);

/** mcp-lite on stdio, where it has no transport of its own: the floor's line reader around its dispatcher. */
import { readLines } from '../../floor/lines.mjs';
import { makeServer } from './definition.mjs';

const server = makeServer();
let out = '';
const flush = () => {
  process.stdout.write(out);
  out = '';
};
readLines(process.stdin, lines => {
  for (const line of lines) void answer(JSON.parse(line));
});

async function answer(message) {
  const response = await server._dispatch(message, {});
  if (!response) return;
  if (out === '') setImmediate(flush);
  out += `${JSON.stringify(response)}\n`;
}

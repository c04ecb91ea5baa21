/** The floor on stdio: lines in, lines out, one write for what came together. */
import { answer } from './answer.mjs';

let rest = '';
process.stdin.setEncoding('utf8').on('data', chunk => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  let out = '';
  for (const line of lines) {
    const text = answer(JSON.parse(line));
    if (text !== undefined) out += `${text}\n`;
  }
  if (out !== '') process.stdout.write(out);
});

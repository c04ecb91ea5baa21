/** The floor on stdio: lines in, lines out, one write for what came together. */
import { answer } from './answer.mjs';
import { readLines } from './lines.mjs';

readLines(process.stdin, lines => {
  let out = '';
  for (const line of lines) {
    const text = answer(JSON.parse(line));
    if (text !== undefined) out += `${text}\n`;
  }
  if (out !== '') process.stdout.write(out);
});

import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { lastLines, Tail } from './child-tail.ts';

it('keeps the end, never half a character', () => {
  const tail = new Tail([]);
  tail.push(Buffer.from(`x${'😀'.repeat(5000)}y`));
  expect(tail.read()).toBe(`${'😀'.repeat(4095)}y`);
});

it('returns each chunk as text, and a character cut in two with the second part', () => {
  const tail = new Tail([]);
  const bytes = Buffer.from('é');
  expect(tail.push(bytes.subarray(0, 1))).toBe('');
  expect(tail.push(bytes.subarray(1))).toBe('é');
  expect(tail.read()).toBe('é');
});

it('does not give secrets back', () => {
  const tail = new Tail(['sesame']);
  tail.push(Buffer.from('key ses'));
  tail.push(Buffer.from('ame is wrong'));
  expect(tail.read()).toBe('key *** is wrong');
});

it('does not give back what looks like a secret that the child knows from elsewhere', () => {
  const tail = new Tail([]);
  tail.push(Buffer.from('API_KEY=sk-abcdefghij1234567890 missing\npassword=hunter2secret\nready\n'));
  expect(tail.read()).toBe('API_KEY=*** missing\npassword=***\nready\n');
});

it('for a message it is the last five lines with something on them, each cut', () => {
  expect(lastLines('1\n2\r\n\n3\n 4 \n5\n6\n')).toBe('2 | 3 | 4 | 5 | 6');
  expect(lastLines('y'.repeat(500))).toBe(`${'y'.repeat(199)}…`);
  expect(lastLines('')).toBe('');
});

it('tells what went wrong rather than where, as Node prints it', () => {
  const said = [
    ...['node:internal/modules/cjs/loader:1210', '  throw err;', '  ^', ''],
    "Error: Cannot find module '/yard/stdio.mjs'",
    ...Array.from({ length: 6 }, (_, at) => `    at Module._load (node:internal/loader:${at})`),
    ...['    at node:internal/main:28 {', "  code: 'MODULE_NOT_FOUND',", '  requireStack: []', '}', ''],
    'Node.js v20.20.2',
  ];
  expect(lastLines(said.join('\n'))).toBe(
    "Error: Cannot find module '/yard/stdio.mjs' | code: 'MODULE_NOT_FOUND', | requireStack: []",
  );
});

it.each([
  'TypeError: x is not a function',
  'java.lang.IllegalStateException: no port',
  'panic: no port',
  "thread 'main' panicked at src/main.rs:4",
  'npm ERR! 404 Not Found',
])('puts %j before the last lines when it came earlier', line => {
  expect(lastLines(`${line}\n1\n2\n3\n4\n5\n`)).toBe(`${line} | 2 | 3 | 4 | 5`);
});

import { expect, it } from 'vitest';
import { type StdioOptions, stdio } from './stdio-client.ts';
import { readStdioOptions } from './stdio-options.ts';

it.each<[string, object]>([
  ['command', {}],
  ['command', { command: ' ' }],
  ['command', { command: 'a\0b' }],
  ['command', { command: 5 }],
  ['args', { args: 'x' }],
  ['args[1]', { args: ['a', 5] }],
  ['args[0]', { args: ['a\0'] }],
  ['cwd', { cwd: '' }],
  ['cwd', { cwd: 'a\0' }],
  ['env', { env: ['A=1'] }],
  ['env', { env: { '': 'x' } }],
  ['env', { env: { 'A=B': 'x' } }],
  ['env["A"]', { env: { A: 'x\0' } }],
  ['env["A"]', { env: { A: 5 } }],
  ['inheritEnv', { inheritEnv: 'most' }],
  ['inheritEnv[0]', { inheritEnv: [5] }],
  ['inheritEnv', { inheritEnv: ['A=B'] }],
  ['stderr', { stderr: 'file' }],
  ['grace.end', { grace: { end: -1 } }],
  ['grace.term', { grace: { term: Number.NaN } }],
  ['lineLimit', { lineLimit: 0 }],
])('a mistake in %s is a TypeError that names it, before anything starts: %j', (field, wrong) => {
  const options = (field === 'command' ? wrong : { command: 'a', ...wrong }) as StdioOptions;
  expect(() => stdio(options)).toThrow(TypeError);
  expect(() => stdio(options)).toThrow(`stdio: ${field}: `);
});

it('a secret value is not part of the complaint', () => {
  expect(() => stdio({ command: 'a', env: { KEY: 'topsecret\0' } })).not.toThrow('topsecret');
});

it('what is not given has its default, and what is given later changes nothing', () => {
  const args = ['x'];
  const settings = readStdioOptions({ command: 'a', args });
  args.push('y');
  expect(settings).toEqual({
    command: 'a',
    args: ['x'],
    cwd: undefined,
    env: {},
    inheritEnv: 'safe',
    stderr: 'ignore',
    grace: { end: 3000, term: 2000 },
    lineLimit: 33_554_432,
  });
});

import { describe, expect, it } from 'vitest';
import { version } from '../basics/version.ts';
import { commands } from './command-table.ts';
import { main } from './main.ts';
import type { Terminal } from './terminal.ts';

/** A terminal that is none: its texts are kept. */
const recorder = (out: string[], err: string[]): Terminal => ({
  print: text => void out.push(text),
  write: text => void out.push(text),
  warn: text => void err.push(text),
  status: () => {},
  paint: (_style, text) => text,
});

const run = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(args, recorder(out, err));
  return { code, out: out.join('\n'), err: err.join('\n') };
};

describe('tenon', () => {
  it.each(['--version', '-v'])('%s prints the version and nothing else', async flag => {
    expect(await run(flag)).toEqual({ code: 0, out: version, err: '' });
  });
  it.each(['--help', '-h'])('%s lists the commands', async flag => {
    const { code, out, err } = await run(flag);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Usage: tenon <command>');
    expect(out).toMatch(/^ {2}serve +Serve patterns, agents/m);
    expect(out.split('\n').length).toBeLessThan(24);
    expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThanOrEqual(80);
  });
  it.each(Object.keys(commands))('the help of %s fits a screen', async name => {
    const { code, out } = await run(name, '-h');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: tenon ${name}`);
    expect(out.split('\n').length).toBeLessThanOrEqual(24);
    expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThanOrEqual(80);
  });
  it('shows the same where nothing was typed, as wrong use', async () => {
    expect(await run()).toEqual({ code: 2, out: '', err: (await run('--help')).out });
  });
  it('takes help as a command', async () => {
    expect(await run('help')).toEqual(await run('--help'));
    expect(await run('help', 'call')).toEqual(await run('call', '--help'));
    expect(await run('help', 'cal')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/did you mean "call"/),
    });
  });
  it.each([
    ['serve', '--help'],
    ['--help', 'serve'],
  ])('%s %s prints the help of the command and names the variables', async (...args) => {
    const { code, out } = await run(...args);
    expect(code).toBe(0);
    expect(out).toContain('Usage: tenon serve');
    for (const name of ['TENON_BASE_URL', 'TENON_MODEL', 'TENON_API_KEY']) expect(out).toContain(name);
  });
  it.each([
    [['sevre'], /there is no command "sevre"; did you mean "serve"\?/],
    [['toString'], /there is no command "toString"/],
    [['--port'], /--port/],
    [['serve', '--port', '1'], /--port/],
    [['serve', 'one', 'two'], /"two" is a word too many/],
    [['serve', 'one', 'two', 'three'], /takes 2 words at most, so "three" is too many/],
    [['serve', '--', 'node'], /takes nothing after --/],
    [['lint', 'one', 'two'], /takes one word at most, so "two" is too many; .* after --/],
    [['lint', '--'], /nothing stands after --/],
    [['types', '--', ''], /the program after -- has an empty name/],
    [['lint', '--famly', 'openai'], /Unknown option '--famly'; did you mean --family\?/],
  ])('%j is wrong use: code 2, a reason, and where to get help', async (args, reason) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(reason);
    expect(err).toMatch(/See tenon (\w+ )?--help$/);
  });
});

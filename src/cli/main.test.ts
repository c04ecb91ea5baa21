import { describe, expect, it } from 'vitest';
import { version } from '../basics/version.ts';
import { main } from './main.ts';

const run = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(args, { print: text => out.push(text), warn: text => err.push(text) });
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
    expect(out).toMatch(/^ {2}serve {2}Serve the patterns/m);
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
    [[], /which command/],
    [['sevre'], /there is no command "sevre"; did you mean "serve"\?/],
    [['toString'], /there is no command "toString"/],
    [['--port'], /--port/],
    [['serve', '--port', '1'], /--port/],
    [['serve', 'more'], /more/],
  ])('%j is wrong use: code 2, a reason, and where to get help', async (args, reason) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(reason);
    expect(err).toContain('See tenon --help');
  });
});

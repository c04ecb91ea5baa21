import { describe, expect, it } from 'vitest';
import { readOptions } from '../bench/options.mjs';

const there = { rows: ['stdio server', 'HTTP server', 'agent'], known: ['floor', 'ours', 'tmcp'] };
const read = (...args: string[]): ReturnType<typeof readOptions> => readOptions(args, there);

describe('the command line of the benchmark', () => {
  it('measures everything unless told otherwise', () => {
    expect(read().options).toEqual({
      chosen: there.rows,
      whole: true,
      subjects: there.known,
      rounds: 5,
      limit: 1200,
      quick: false,
      write: false,
      json: undefined,
    });
  });

  it('takes a part, always with the floor', () => {
    const { options } = read('--only=SERVER', '--subjects', 'ours', '--quick');
    expect(options).toMatchObject({ chosen: ['stdio server', 'HTTP server'], subjects: ['floor', 'ours'] });
    expect(options).toMatchObject({ whole: false, quick: true, rounds: 2 });
  });

  it('finds a row whose name has an apostrophe that no keyboard has', () => {
    const rows = ['a server’s tool', 'a turn'];
    expect(readOptions(['--only', "server's"], { rows, known: ['floor'] }).options?.chosen).toEqual([
      rows[0],
    ]);
  });

  it('gives the data in place of the tables, or into a file', () => {
    expect(read('--json').options?.json).toBe(true);
    expect(read('--json', '--rounds', '1').options).toMatchObject({ json: true, rounds: 1 });
    expect(read('--json', 'a.json').options?.json).toBe('a.json');
    expect(read('--json=a.json').options?.json).toBe('a.json');
  });

  it('prints its help whatever else is given', () => {
    expect(read('--help', '--only', 'nothing')).toEqual({ help: true });
  });

  it.each([['--only', 'agent'], ['--quick'], ['--subjects', 'ours']])(
    'refuses to replace the whole page by a part: --write %s',
    (...part) => {
      expect(read('--write', ...part).fault).toBe(
        `--write replaces the whole page, so it needs a whole run: leave out ${part[0]}`,
      );
    },
  );

  it.each([
    [['--bogus'], 'there is no option --bogus; there are --only'],
    [['--constructor'], 'there is no option --constructor'],
    [['agent'], '"agent" is not an option; a row is chosen by --only'],
    [['--only'], '--only needs a value'],
    [['--rounds', '--quick'], '--rounds needs a value'],
    [['--quick=yes'], '--quick takes no value'],
    [['--rounds', '0'], '--rounds must be a whole number above 0'],
    [['--limit', 'x'], '--limit must be a number of seconds'],
    [['--only', 'nothing'], 'no row is named like "nothing"; there are:\n  stdio server'],
    [['--subjects', 'ours,mcp'], 'there is no subject "mcp"; there are floor, ours, tmcp'],
    [['--subjects', ''], 'there is no subject ""'],
  ])('says in a sentence what is wrong with %j', (args, fault) => {
    expect(read(...args).fault).toContain(fault);
  });
});

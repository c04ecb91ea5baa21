import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../basics/manual-clock.ts';
import { terminalOn } from '../../terminal.ts';
import { LiveProgress } from './live-progress.ts';
import { stepOf } from './report.ts';

const finding = { code: 'x', cause: 'a cause', remedy: 'a remedy' };

function screen(isTTY: boolean, silent = false) {
  const written = { out: '', err: '' };
  const clock = manualClock();
  const stream = (to: 'out' | 'err') => ({
    isTTY,
    columns: 30,
    write: (text: string) => {
      written[to] += text;
    },
  });
  const terminal = terminalOn(stream('out'), stream('err'), {});
  return { written, clock, progress: new LiveProgress(terminal, clock, silent) };
}

describe('a check-up that goes on', () => {
  it('says on a terminal at once what it does, since when, and how that ended', () => {
    const { written, clock, progress } = screen(true);
    progress.title('files');
    progress.begin('start');
    expect(written.err).toBe('  …       start');
    clock.advance(1000);
    clock.advance(1000);
    expect(written.err).toMatch(/1 s: start.*2 s: start$/s);
    progress.end(stepOf('start', 2345.6));
    expect(written.err.endsWith('\r\u001b[2K')).toBe(true);
    expect(written.out).toBe(
      '\u001b[1mfiles\u001b[22m\n  \u001b[32mok    \u001b[39m  start         \u001b[2m 2,346 ms\u001b[22m\n',
    );
    clock.advance(5000);
    expect(written.err.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('has neither colours nor a line that passes elsewhere', () => {
    const { written, clock, progress } = screen(false);
    progress.title('one');
    progress.begin('lists');
    clock.advance(3000);
    progress.end(stepOf('lists', 3, { details: ['2 tools', '1 prompt'], findings: [finding] }));
    progress.title('two');
    expect(written).toEqual({
      err: '',
      out: [
        'one',
        '  wrong   lists              3 ms  2 tools',
        '                                   1 prompt',
        '          cause: a cause',
        '          remedy: a remedy',
        '',
        'two\n',
      ].join('\n'),
    });
  });

  it('keeps what is printed for the data that was asked for', () => {
    const { written, progress } = screen(true, true);
    progress.title('one');
    progress.begin('lists');
    progress.end(stepOf('lists', 3));
    expect(written.out).toBe('');
    expect(written.err).toContain('lists');
  });
});

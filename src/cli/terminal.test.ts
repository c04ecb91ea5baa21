import { describe, expect, it, vi } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import { showProgress } from './server/progress.ts';
import { type Terminal, terminalOn } from './terminal.ts';

const erase = '\r\u001b[2K';

function open(
  isTTY: boolean,
  environment: Record<string, string> = {},
): { terminal: Terminal; out: string[]; err: string[] } {
  const [out, err]: string[][] = [[], []];
  const stream = (texts: string[] = []) => ({
    isTTY,
    columns: 20,
    write: (text: string) => texts.push(text),
  });
  return { terminal: terminalOn(stream(out), stream(err), environment), out: out ?? [], err: err ?? [] };
}

describe('what commands write', () => {
  it('has colours on a terminal', () => {
    expect(open(true).terminal.paint('red', 'x')).toBe('\u001b[31mx\u001b[39m');
    expect(open(true, { NO_COLOR: '' }).terminal.paint('bold', 'x')).toBe('\u001b[1mx\u001b[22m');
  });

  it.each([
    [false, {}],
    [true, { NO_COLOR: '1' }],
    [true, { TERM: 'dumb' }],
  ])('has none where they are not wanted (terminal: %s, %j)', (isTTY, environment) => {
    expect(open(isTTY, environment).terminal.paint('red', 'x')).toBe('x');
  });

  it('shows on a terminal what goes on, cut to its width, and takes it away before anything else is said', () => {
    const { terminal, out, err } = open(true);
    terminal.status('waiting for a server');
    terminal.status('still waiting');
    terminal.print('done');
    terminal.warn('noted');
    expect(err).toEqual(['waiting for a serve', erase, 'still waiting', erase, 'noted\n']);
    expect(out).toEqual(['done\n']);
  });

  it('writes nothing to standard error that steers a terminal', () => {
    const { terminal, err } = open(true);
    terminal.warn('a\u001b[2Jb\r\n\tc\u202ed');
    terminal.status('e\u001b[1m\nf');
    expect(err).toEqual(['a[2Jb\n\tcd\n', 'e[1m f']);
  });

  it.each([
    ['EPIPE', 0, []],
    ['ENOSPC', 1, ['cannot write to standard output: it is full\n']],
  ])('ends at %s of standard output with code %i', (code, exitCode, said) => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const err: string[] = [];
    const listeners: ((error: Error) => void)[] = [];
    const out = {
      write: () => {},
      once: (_event: string, listener: (error: Error) => void) => listeners.push(listener),
    };
    terminalOn(out, { write: (text: string) => err.push(text) }, {}).print('x');
    listeners[0]?.(Object.assign(new Error('it is full'), { code }));
    expect(exit).toHaveBeenCalledWith(exitCode);
    expect(err).toEqual(said);
    exit.mockRestore();
  });

  it('goes on where standard error takes nothing', () => {
    const listeners: ((error: Error) => void)[] = [];
    const err = {
      write: () => {},
      once: (_event: string, listener: (error: Error) => void) => listeners.push(listener),
    };
    const { warn } = terminalOn({ write: () => {} }, err, {});
    warn('x');
    warn('y');
    expect(listeners).toHaveLength(1);
    expect(() => listeners[0]?.(new Error('it is full'))).not.toThrow();
  });

  it('says nothing of what goes on where nobody looks', () => {
    for (const { terminal, err } of [open(false), open(true, { TERM: 'dumb' })]) {
      terminal.status('waiting');
      terminal.status('');
      expect(err).toEqual([]);
    }
  });

  it('tells how long something takes, second by second, until it is over', () => {
    const clock = manualClock();
    const { terminal, err } = open(true);
    const stop = showProgress(terminal, 'x', clock);
    clock.advance(999);
    expect(err).toEqual([]);
    clock.advance(1001);
    stop();
    clock.advance(10_000);
    expect(err).toEqual(['1 s: x', erase, '2 s: x', erase]);
  });
});

import { describe, expect, it } from 'vitest';
import { answered, type Entry, inCall, sent, timelineOf, words } from './fixtures/timeline.ts';
import type { Timeline } from './timeline.ts';
import { toTracePage } from './trace-page.ts';
import { toTraceText } from './trace-text.ts';

describe('what came of a recording', () => {
  const run = (...inside: readonly Entry[]): Timeline => timelineOf([0, { type: 'run-start' }], ...inside);
  const failing: readonly Entry[] = ['a', 'b'].flatMap((callId, index): Entry[] => [
    [index + 1, { type: 'tool-start', callId, tool: 'look', arguments: '{}' }],
    [index + 2, { type: 'tool-end', callId, tool: 'look', result: 'dark', isError: true }],
  ]);

  it('is done, with what failed on the way told once for each reason', () => {
    const text = toTraceText(run(...failing, [9, { type: 'run-end' }]));
    expect(text).toMatch(
      /: done in 9 ms\n.*failed steps 2\nfailed on the way:\n {2}at 1 ms, 2 times, tool look: dark\n\n/,
    );
  });

  it('is failed, with the reason in full and where it was', () => {
    const error = { message: 'the tool failed', cause: { message: 'dark' } };
    const text = toTraceText(run(...failing, [9, { type: 'run-end', error }]));
    expect(text).toMatch(
      /: failed after 9 ms\n.*\n {2}at 0 ms, run: the tool failed: dark\nwhat failed inside:\n {2}at 1 ms, 2 times, tool look\n\n/,
    );
  });

  it('is that it never ended, with what went on', () => {
    const text = toTraceText(run([3, { type: 'tool-start', callId: 'a', tool: 'wait', arguments: '{}' }]));
    expect(text).toMatch(
      /never ended; the recording stops after 3 ms\n.*\n {2}at 0 ms, run: .*\nwhat went on:\n {2}at 3 ms, tool wait/,
    );
  });

  it('is that some calls failed, and of the others nothing', () => {
    const call = (number: number, isError: boolean): readonly Entry[] => [
      [number, { type: 'call-start', call: number, tool: 't', arguments: {} }],
      [number, inCall(number, { type: 'llm-start', call: 1, model: `m${number}` })],
      [number, inCall(number, { type: 'llm-error', call: 1, error: 'E', message: `why ${number}` })],
      [number, { type: 'call-end', call: number, isError, result: { content: [] } }],
    ];
    const text = toTraceText(timelineOf(...call(1, false), ...call(2, true), ...call(3, false)));
    expect(text.split('\n\n')[0]).toMatch(/1 of 3 calls failed/);
    expect(text.split('\n\n')[0]).toMatch(/why 2/);
    expect(text.split('\n\n')[0]).not.toMatch(/why [13]/);
  });

  it('is that of the call which a client was told to make, not of all that was said for it', () => {
    const found: readonly Entry[] = [
      [0, sent(1, 'some/feature')],
      [1, answered(1, { result: {} })],
      [2, sent(2, 'tools/list')],
      [3, answered(2, { result: { tools: [] } })],
      [4, sent(3, 'tools/call', { name: 'look', arguments: { at: 'sea' } })],
    ];
    const failed = timelineOf(...found, [9, answered(3, words('dark', true))], [9, { type: 'end' }]);
    expect(toTraceText(failed)).toMatch(
      /: failed after 5 ms\n.*\n {2}at 4 ms, request → tools\/call look: dark\n/,
    );
    const done = timelineOf(...found, [9, answered(3, words('blue'))], [9, { type: 'end' }]);
    expect(toTraceText(done)).toMatch(/: done in 9 ms\n/);
  });

  it('leads to the call in which a server went, before it leads to the server', () => {
    const error = { reason: 'exited', message: 'the server exited with code 3' };
    const { outcome } = timelineOf(
      [0, sent(1, 'tools/call', { name: 'look', arguments: {} })],
      [5, { type: 'connection', server: 's', state: 'closed', error }],
      [6, { type: 'failure', error }],
      [7, { type: 'end' }],
    );
    expect(outcome.about.map(({ step }) => step.kind)).toEqual(['command']);
    expect(outcome.causes.map(({ step }) => `${step.kind} ${step.title}`)).toEqual([
      'request → tools/call look',
      'note s is gone',
    ]);
  });

  it('is that it never ended where it holds nothing, unless it says that it did', () => {
    expect(toTraceText(timelineOf())).toMatch(/: never ended; the recording stops after 0 ms\n/);
    expect(toTraceText(timelineOf([4, { type: 'end' }]))).toMatch(/: done in 4 ms\n/);
  });

  it('is that a signal ended the command, whatever its server says of that', () => {
    const asked: Entry = [0, sent(1, 'tools/call', { name: 'look', arguments: {} })];
    const signal: Entry = [5, { type: 'signal', name: 'SIGTERM' }];
    const error = { reason: 'exited', message: 'the server was ended by SIGTERM' };
    const gone: Entry = [6, { type: 'connection', server: 's', state: 'closed', error }];
    for (const rest of [
      [],
      [gone],
      [gone, [7, { type: 'failure', error }], [7, { type: 'end' }]],
    ] as Entry[][]) {
      const text = toTraceText(timelineOf(asked, signal, ...rest));
      expect(text).toMatch(
        /: failed after \d ms\n.*\n {2}at \d ms, command failed: the command was ended by SIGTERM\n/,
      );
      expect(text).not.toContain('the server was ended');
    }
    const served = timelineOf(
      [0, { type: 'call-start', call: 1, tool: 't', arguments: {} }],
      [1, { type: 'call-end', call: 1, isError: false, result: 'x' }],
      signal,
      [6, { type: 'end' }],
    );
    expect(toTraceText(served)).toMatch(/: done in 6 ms\n/);
  });

  it('says hours of what took hours', () => {
    expect(toTraceText(timelineOf([7_500_000, { type: 'end' }]))).toContain('done in 2 h 5 min');
  });

  it('is what the command says of its own failure', () => {
    const timeline = timelineOf(
      [0, sent(1, 'x')],
      [5, { type: 'failure', error: { message: 'not reached' } }],
    );
    expect(toTraceText(timeline)).toMatch(
      /: failed after 5 ms\n.*\n {2}at 5 ms, command failed: not reached\n/,
    );
  });

  it('steers no terminal, and keeps to the width but for what must be read', () => {
    const nasty = '\u001b[2J\u202e\u2028\r\nx';
    const timeline = timelineOf(
      [0, { type: 'prompt', prompt: nasty.repeat(99) }],
      [0, { type: 'run-start' }],
      [1, { type: 'run-end', error: { message: `${nasty} ${'word '.repeat(200)}` } }],
    );
    const text = toTraceText(timeline, { width: 40 });
    for (const sign of ['\u001b', '\u202e', '\u2028', '\r']) expect(text).not.toContain(sign);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    const page = toTracePage(timeline);
    for (const sign of ['\u001b', '\u202e']) expect(page).not.toContain(sign);
    expect(page).toContain('\\u{202e}');
    expect(text.split('\n').filter(line => line.includes('word')).length).toBeGreaterThan(2);
  });
});

import { describe, expect, it } from 'vitest';
import { JoinedDeltas } from './joined-deltas.ts';

type Event = Readonly<Record<string, unknown>>;

/** What is passed on of these. */
function joined(...events: readonly Event[]): readonly Event[] {
  const passed: Event[] = [];
  const deltas = new JoinedDeltas(event => void passed.push(event));
  for (const event of events) deltas.take(event);
  deltas.end();
  return passed;
}

const text = (piece: string): Event => ({ type: 'text-delta', turn: 1, text: piece });
const inCall = (call: number, event: Event): Event => ({ type: 'call-event', call, event });

describe('the pieces in which a model writes', () => {
  it('are one, before what comes after them', () => {
    const end = { type: 'model-end', turn: 1 };
    expect(joined(text('sk-ab'), text('cd'), text('ef'), end, text('g'))).toEqual([
      text('sk-abcdef'),
      end,
      text('g'),
    ]);
  });

  it('of another kind are another', () => {
    const thought = { type: 'reasoning-delta', turn: 1, text: 'hm' };
    const input = (callId: string, piece: string): Event => ({
      type: 'tool-input-delta',
      callId,
      arguments: piece,
    });
    expect(joined(thought, thought, text('a'), input('x', '{'), input('x', '}'), input('y', '{}'))).toEqual([
      { ...thought, text: 'hmhm' },
      text('a'),
      input('x', '{}'),
      input('y', '{}'),
    ]);
  });

  it('of runs at the same time are kept apart, and end with their own run', () => {
    const end = inCall(1, { type: 'model-end' });
    const over = { type: 'call-end', call: 2 };
    expect(
      joined(
        inCall(1, text('a')),
        inCall(2, text('x')),
        inCall(1, text('b')),
        end,
        inCall(2, text('y')),
        over,
      ),
    ).toEqual([inCall(1, text('ab')), end, inCall(2, text('xy')), over]);
  });

  it('of a run inside a tool end with that tool, and with the run around it', () => {
    const inside = (event: Event): Event => ({ type: 'delegated', callId: 'c', tool: 'helper', event });
    const end = (callId: string): Event => ({ type: 'tool-end', callId });
    const pieces = [inside(text('a')), { type: 'note' }, end('other'), inside(text('b'))];
    const whole = [{ type: 'note' }, end('other'), inside(text('ab'))];
    expect(joined(...pieces, end('c'))).toEqual([...whole, end('c')]);
    expect(joined(...pieces, { type: 'run-end' })).toEqual([...whole, { type: 'run-end' }]);
  });

  it('are passed on up to a blank when they are many, so that no word is cut', () => {
    const word = 'x'.repeat(99);
    const passed = joined(...Array.from({ length: 200 }, () => text(`${word} `)));
    expect(passed.length).toBeGreaterThan(1);
    for (const { text: piece } of passed) expect(String(piece)).toMatch(/^(x{99} )+$/);
    const whole = joined(...Array.from({ length: 2000 }, () => text('xxxxxxx')));
    expect(whole.map(({ text: piece }) => piece).join('')).toBe('x'.repeat(14_000));
  });
});

import { afterEach, expect, it, vi } from 'vitest';
import { type GuardedStdout, guardStdout } from './stdio-stdout.ts';

const actual = { out: process.stdout.write, err: process.stderr.write };
const guards: GuardedStdout[] = [];

afterEach(() => {
  for (const guard of guards.splice(0)) guard.release();
  process.stdout.write = actual.out;
  process.stderr.write = actual.err;
});

/** Both outputs replaced by spies, which are then what is guarded. */
function replaceOutputs() {
  const out = vi.fn(() => true);
  const err = vi.fn(() => true);
  process.stdout.write = out as typeof process.stdout.write;
  process.stderr.write = err as typeof process.stderr.write;
  return { out, err };
}

function guard(): GuardedStdout {
  const made = guardStdout();
  guards.push(made);
  return made;
}

it('sends what others write to stderr with all they said, and lets the guard itself through', () => {
  const { out, err } = replaceOutputs();
  const done = vi.fn();
  const { write } = guard();
  process.stdout.write('theirs', 'utf8', done);
  write('ours');
  expect(err.mock.calls).toEqual([['theirs', 'utf8', done]]);
  expect(out.mock.calls).toEqual([['ours']]);
});

it('puts things back when the last guard is released, once each', () => {
  const { out } = replaceOutputs();
  const [first, second] = [guard(), guard()];
  second.write('ours too');
  expect(out.mock.calls).toEqual([['ours too']]);
  first.release();
  first.release();
  expect(process.stdout.write).not.toBe(out);
  second.release();
  expect(process.stdout.write).toBe(out);
});

it('leaves alone what somebody has put over it, and steps aside beneath', () => {
  const { out, err } = replaceOutputs();
  const first = guard();
  const beneath = process.stdout.write.bind(process.stdout);
  const theirs = ((text: string) => beneath(`[${text}]`)) as typeof process.stdout.write;
  process.stdout.write = theirs;
  first.release();
  expect(process.stdout.write).toBe(theirs);
  process.stdout.write('after');
  expect(out.mock.calls).toEqual([['[after]']]);

  const again = guard();
  process.stdout.write('during');
  again.write('ours');
  expect(err.mock.calls).toEqual([['[during]']]);
  expect(out.mock.calls.at(-1)).toEqual(['ours']);
});

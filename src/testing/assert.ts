/** Small assertions for the suites: they need no test runner and no particular runtime. */
import { systemClock } from '../basics/clock.ts';

/** How long a suite waits for what must happen, in milliseconds, before it says what did not. */
const patience = 10_000;

/** A sentence of a suite does not hold. */
export class SuiteFailure extends Error {
  override readonly name = 'SuiteFailure';
}

export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new SuiteFailure(what);
}

/** Compares as JSON would: members in any order, nothing else alike. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (same(actual, expected)) return;
  throw new SuiteFailure(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/** True when `text` holds `part`; the failure shows both. */
export function contains(text: string, part: string, what: string): void {
  if (!text.includes(part)) throw new SuiteFailure(`${what}: expected ${show(part)} in ${show(text)}`);
}

/** What `promise` rejects with; fails when it resolves. */
export async function rejection(promise: PromiseLike<unknown>, what: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await within(promise, what);
  } catch (thrown) {
    if (thrown instanceof SuiteFailure) throw thrown;
    return thrown;
  }
  throw new SuiteFailure(`${what}: expected a rejection, got ${show(value)}`);
}

/** The outcome of `promise`; a suite that waits for ever would only tell of its runner's limit. */
export function within<T>(promise: PromiseLike<T>, what: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const late = new SuiteFailure(`${what}: nothing came for ${patience} ms`);
    const timer = systemClock.after(patience, () => reject(late), true);
    promise.then(
      value => {
        timer.cancel();
        resolve(value);
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    key =>
      Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}

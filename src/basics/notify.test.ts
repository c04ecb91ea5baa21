import { expect, it } from 'vitest';
import { notify } from './notify.ts';

it('hands on what there is to tell', () => {
  const told: unknown[] = [];
  notify((...args: readonly unknown[]) => told.push(args), 'a', 1);
  expect(told).toEqual([['a', 1]]);
});

it('does nothing without an observer', () => {
  expect(() => notify(undefined)).not.toThrow();
});

it('drops what an observer throws', () => {
  const fail = (): never => {
    throw new Error('watching went wrong');
  };
  expect(() => notify(fail)).not.toThrow();
});

it('takes up the rejection of one that is asynchronous', () => {
  let handled = 0;
  const rejected = Promise.reject(new Error('watching went wrong'));
  rejected.catch = (...args) => {
    handled += 1;
    return Promise.prototype.catch.apply(rejected, args);
  };
  notify(() => rejected);
  expect(handled).toBe(1);
});

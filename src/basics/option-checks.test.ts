import { describe, expect, it } from 'vitest';
import {
  checkChoice,
  checkFunction,
  checkHas,
  checkMilliseconds,
  checkNumber,
  checkText,
} from './option-checks.ts';

describe('a number', () => {
  it.each([
    [{ integer: true, min: 1 }, [1, 7, undefined], [0, 1.5, '1', null, true, NaN, Infinity, 2 ** 53]],
    [{ integer: true, min: 1, infinite: true }, [1, Infinity], [0.5, -Infinity, NaN]],
    [{ min: 0, max: 2 }, [0, 2, 0.5, -0], [-0.1, 2.1, Infinity, 1n]],
    [{ above: 0 }, [0.1, 5], [0, -1, Infinity]],
    [{}, [-3, 0.5], [{}, [], Infinity, -Infinity]],
  ])('within %j', (bounds, good, bad) => {
    for (const value of good) expect(() => checkNumber('f', 'n', value, bounds)).not.toThrow();
    for (const value of bad) expect(() => checkNumber('f', 'n', value, bounds)).toThrow(TypeError);
  });

  it.each([
    [{ integer: true, min: 1 }, 'f: n must be an integer of at least 1, got "x"'],
    [{ min: 0, max: 2 }, 'f: n must be a number from 0 to 2, got "x"'],
    [{ above: 0 }, 'f: n must be a number above 0, got "x"'],
    [{}, 'f: n must be a number, got "x"'],
  ])('is asked for by its bounds: %j', (bounds, message) => {
    expect(() => checkNumber('f', 'n', 'x', bounds)).toThrow(new TypeError(message));
  });

  it('of milliseconds is above 0 and may be without end', () => {
    for (const ms of [1, 0.5, Infinity, undefined])
      expect(() => checkMilliseconds('f', 'ms', ms)).not.toThrow();
    for (const ms of [0, -1, NaN, '5']) {
      expect(() => checkMilliseconds('f', 'ms', ms)).toThrow(
        /^f: ms must be a number of milliseconds above 0/,
      );
    }
  });
});

it('a text is not blank', () => {
  expect(() => checkText('f', 't', ' a ')).not.toThrow();
  for (const value of ['', ' \n', undefined, 3])
    expect(() => checkText('f', 't', value)).toThrow(/not blank/);
});

it('a choice is one of those there are', () => {
  expect(() => checkChoice('f', 'c', 'a', ['a', 'b'])).not.toThrow();
  expect(() => checkChoice('f', 'c', undefined, ['a', 'b'])).not.toThrow();
  expect(() => checkChoice('f', 'c', 'z', ['a', 'b'])).toThrow('f: c must be "a" or "b", got "z"');
  expect(() => checkChoice('f', 'c', 3, ['a', 'b', 'c', 'd'])).toThrow(
    'c must be one of "a", "b", "c", "d", got 3',
  );
});

it('a function is one, or not there', () => {
  expect(() => checkFunction('f', 'g', () => 1)).not.toThrow();
  expect(() => checkFunction('f', 'g', undefined)).not.toThrow();
  expect(() => checkFunction('f', 'g', 'x')).toThrow('f: g must be a function, got "x"');
});

it('a thing that is known by a function has it, as its own or inherited', () => {
  const wanted = 'a map';
  expect(() => checkHas('f', 'm', new Map(), 'get', wanted)).not.toThrow();
  for (const value of [undefined, null, 'get', {}, { get: 1 }]) {
    expect(() => checkHas('f', 'm', value, 'get', wanted)).toThrow(/^f: m must be a map, got /);
  }
});

it('a value that looks like a secret is not shown', () => {
  expect(() => checkFunction('f', 'g', 'sk-abcdefgh12345678')).toThrow(/got a string of 19 characters$/);
});

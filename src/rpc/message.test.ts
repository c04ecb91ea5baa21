import { describe, expect, it } from 'vitest';
import { type Inbound, isId, readMessage } from './message.ts';

const ask = { jsonrpc: '2.0', id: 1, method: 'm' };

/** What the answer to a message would depend on. */
function verdict(value: unknown): string {
  const inbound: Inbound = readMessage(value);
  switch (inbound.kind) {
    case 'request':
      return `request ${JSON.stringify(inbound.message.id)}`;
    case 'notification':
      return 'notification';
    case 'response':
      return `response ${JSON.stringify(inbound.id)} ${inbound.error ? `error ${inbound.error.code}` : 'result'}`;
    case 'batch':
      return `batch of ${inbound.members.length}`;
    case 'invalid':
      return `invalid ${JSON.stringify(inbound.id)}: ${inbound.reason}`;
  }
}

describe('readMessage', () => {
  const table: readonly (readonly [string, unknown, string])[] = [
    ['a request', ask, 'request 1'],
    ['id 0', { ...ask, id: 0 }, 'request 0'],
    ['the empty string as id', { ...ask, id: '' }, 'request ""'],
    ['a negative id', { ...ask, id: -3 }, 'request -3'],
    ['the largest exact integer', { ...ask, id: Number.MAX_SAFE_INTEGER }, 'request 9007199254740991'],
    ['a numeric string as id', { ...ask, id: '1' }, 'request "1"'],
    ['params null as absent', { ...ask, params: null }, 'request 1'],
    ['extra members', { ...ask, extra: true }, 'request 1'],
    ['a request with a result beside its method', { ...ask, result: 1 }, 'request 1'],
    ['a notification', { jsonrpc: '2.0', method: 'm' }, 'notification'],
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }, 'response 1 result'],
    ['a result of null', { jsonrpc: '2.0', id: 1, result: null }, 'response 1 result'],
    ['a result with error null', { jsonrpc: '2.0', id: 1, result: {}, error: null }, 'response 1 result'],
    ['a result with extra members', { jsonrpc: '2.0', id: 1, result: {}, via: 'x' }, 'response 1 result'],
    ['a result with method null', { ...ask, method: null, params: null, result: {} }, 'response 1 result'],
    ['a result without jsonrpc', { id: 1, result: {} }, 'response 1 result'],
    ['a result without id', { jsonrpc: '2.0', result: null }, 'response null result'],
    ['a result with a broken id', { jsonrpc: '2.0', id: 1.5, result: {} }, 'response null result'],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 5, message: 'no' } }, 'response 1 error 5'],
    ['an error with id null', { jsonrpc: '2.0', id: null, error: { code: 5 } }, 'response null error 5'],
    ['an error without id', { jsonrpc: '2.0', error: { code: 5 } }, 'response null error 5'],
    ['an error that wins over a result', { id: 1, result: 1, error: { code: 5 } }, 'response 1 error 5'],
    ['an error that is a text', { id: 1, error: 'no' }, 'response 1 error -32603'],
    ['an error with a text as code', { id: 1, error: { code: 'no' } }, 'response 1 error -32603'],
    [
      'neither result nor error',
      { jsonrpc: '2.0', id: 1 },
      'invalid 1: method must be a string, got nothing',
    ],
    [
      'error null alone',
      { jsonrpc: '2.0', id: 1, error: null },
      'invalid 1: a response must have a result or an error',
    ],
    ['a batch', [ask, ask], 'batch of 2'],
    ['an empty batch', [], 'batch of 0'],
    ['null', null, 'invalid null: a message must be a JSON object, got null'],
    ['a number', 17, 'invalid null: a message must be a JSON object, got number'],
    ['a text', 'x', 'invalid null: a message must be a JSON object, got string'],
    ['a boolean', true, 'invalid null: a message must be a JSON object, got boolean'],
    ['an empty object', {}, 'invalid null: method must be a string, got nothing'],
    ['id null', { ...ask, id: null }, 'invalid null: id must be a string or an integer, got null'],
    ['id object', { ...ask, id: {} }, 'invalid null: id must be a string or an integer, got an object'],
    ['id array', { ...ask, id: [1] }, 'invalid null: id must be a string or an integer, got an array'],
    ['id 1.5', { ...ask, id: 1.5 }, 'invalid null: id must be a string or an integer, got 1.5'],
    ['id true', { ...ask, id: true }, 'invalid null: id must be a string or an integer, got true'],
    [
      'an integer that is not exact',
      { ...ask, id: 2 ** 53 },
      'invalid null: id must be a string or an integer, got 9007199254740992',
    ],
    ['no jsonrpc', { id: 1, method: 'm' }, 'invalid 1: jsonrpc must be "2.0", got nothing'],
    ['jsonrpc 1.0', { ...ask, jsonrpc: '1.0' }, 'invalid 1: jsonrpc must be "2.0", got "1.0"'],
    ['jsonrpc as number', { ...ask, jsonrpc: 2 }, 'invalid 1: jsonrpc must be "2.0", got 2'],
    ['a method of null', { ...ask, method: null }, 'invalid 1: method must be a string, got null'],
    ['a method of number', { ...ask, method: 7 }, 'invalid 1: method must be a string, got 7'],
    ['params array', { ...ask, params: [] }, 'invalid 1: params must be an object, got an array'],
    ['params text', { ...ask, params: 'x' }, 'invalid 1: params must be an object, got "x"'],
    ['params number', { ...ask, params: 0 }, 'invalid 1: params must be an object, got 0'],
  ];

  for (const [name, value, expected] of table) {
    it(`reads ${name}`, () => {
      expect(verdict(value)).toBe(expected);
    });
  }

  it('gives params null to nobody', () => {
    const inbound = readMessage({ ...ask, params: null });
    expect(inbound.kind === 'request' && inbound.message.params).toBe(undefined);
  });

  it('keeps the data of an error and says so when it has no message', () => {
    expect(readMessage({ id: 1, error: { code: 5, data: [1] } })).toMatchObject({
      error: { code: 5, data: [1], message: 'no message was given' },
    });
  });

  it('quotes little of a huge value', () => {
    const inbound = readMessage({ ...ask, params: 'x'.repeat(1_000_000) });
    expect(inbound.kind === 'invalid' && inbound.reason.length).toBeLessThan(100);
  });

  it('takes members of a prototype for absent', () => {
    expect(verdict(JSON.parse('{"jsonrpc":"2.0","__proto__":{"id":1},"method":"m"}'))).toBe('notification');
  });
});

describe('isId', () => {
  it('knows strings and exact integers, and nothing else', () => {
    expect([0, -1, '', 'a', 2 ** 53 - 1].map(isId)).toEqual([true, true, true, true, true]);
    const others = [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, null, undefined, true, {}, []];
    expect(others.map(isId)).toEqual(others.map(() => false));
  });
});

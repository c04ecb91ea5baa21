import { expect, it } from 'vitest';
import { PartCollector } from '../collect.ts';
import { CallSlots } from './call-slots.ts';

interface Given {
  readonly index?: number | string;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly args?: string;
}

function read(...pieces: readonly Given[]): (readonly [name: string, args: string])[] {
  const slots = new CallSlots('call_1');
  const collector = new PartCollector();
  for (const { index, id, name, args } of pieces) {
    const call = { index, id, type: 'function', function: { name, arguments: args } };
    for (const part of slots.read(call)) collector.add(part);
  }
  const { toolCalls } = collector.response();
  expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(toolCalls.length);
  return toolCalls.map(({ name, arguments: raw }) => [name, raw] as const);
}

const one = '{"a":1}';
const two = '{"a":2}';
const [head, tail] = ['{"a":', '1}'];

it.each<[string, readonly Given[], readonly (readonly [string, string])[]]>([
  [
    'all numbered 0, without ids',
    [
      { index: 0, id: '', name: 'x', args: one },
      { index: 0, name: 'x', args: two },
      { index: 0, name: 'y', args: '{}' },
    ],
    [
      ['x', one],
      ['x', two],
      ['y', '{}'],
    ],
  ],
  [
    'all numbered 0, without ids, in pieces',
    [
      { index: 0, name: 'x', args: head },
      { index: 0, args: tail },
      { index: 0, name: 'y', args: '' },
      { index: 0, args: two },
    ],
    [
      ['x', one],
      ['y', two],
    ],
  ],
  [
    'numbered, in pieces that mix',
    [
      { index: 0, id: 'a', name: 'x', args: head },
      { index: 1, id: 'b', name: 'y', args: two },
      { index: 0, args: tail },
    ],
    [
      ['x', one],
      ['y', two],
    ],
  ],
  [
    'one whose id comes with each piece',
    [
      { id: 'a', name: 'x', args: '' },
      { id: 'a', args: head },
      { id: 'a', args: tail },
    ],
    [['x', one]],
  ],
  [
    'one whose id and name come with each piece',
    [
      { id: 'a', name: 'x', args: '' },
      { id: 'a', name: 'x', args: head },
      { id: 'a', name: 'x', args: tail },
      { id: 'a', name: 'x', args: '' },
    ],
    [['x', one]],
  ],
  [
    'two whose pieces name them by their ids alone',
    [
      { id: 'a', name: 'x', args: head },
      { id: 'b', name: 'y', args: two },
      { id: 'a', args: tail },
    ],
    [
      ['x', one],
      ['y', two],
    ],
  ],
  [
    'one whose number and name come with each piece',
    [
      { index: 0, id: 'a', name: 'x', args: head },
      { index: 0, id: null, name: 'x', args: tail },
    ],
    [['x', one]],
  ],
  [
    'one whose pieces have new ids and no name',
    [
      { index: 0, id: 'a', name: 'x', args: head },
      { index: 0, id: 'b', args: tail },
    ],
    [['x', one]],
  ],
])('calls that are %s', (_, pieces, calls) => {
  expect(read(...pieces)).toEqual(calls);
});

it('two whole calls with one id stay two', () => {
  const slots = new CallSlots('call_1');
  const call = (args: string): object => ({ id: 'same', function: { name: 'x', arguments: args } });
  for (const args of [one, two]) [...slots.read(call(args) as Record<string, unknown>)];
  expect(slots.calls).toMatchObject([{ function: { arguments: one } }, { function: { arguments: two } }]);
});

import { expect, it } from 'vitest';
import { introductionOf } from './introductions.ts';

const textOf = (name: string, more: object = {}): string =>
  JSON.stringify(['2025-11-25', { name, version: '1', ...more }, { roots: { listChanged: true } }]);

it('is one object for all who say the same', () => {
  const introduction = introductionOf(textOf('a'));
  expect(introductionOf(textOf('a'))).toBe(introduction);
  expect(introductionOf(textOf('b'))).not.toBe(introduction);
  expect(introduction.client).toEqual({
    info: { name: 'a', version: '1' },
    capabilities: { roots: { listChanged: true } },
    revision: '2025-11-25',
  });
});

it('cannot be changed by who was given it', () => {
  const { client } = introductionOf(textOf('a'));
  const { info, capabilities } = client;
  for (const each of [client, info, capabilities, capabilities['roots']])
    expect(Object.isFrozen(each)).toBe(true);
});

it('says nothing that could be changed where a client said nothing either', () => {
  const { client } = introductionOf('["2025-11-25",null,null]');
  expect(client).toMatchObject({ info: { name: 'unknown', version: '0' }, capabilities: {} });
  for (const each of [client.info, client.capabilities]) expect(Object.isFrozen(each)).toBe(true);
});

it('is shared only where it is short, and only among the latest', () => {
  const long = textOf('c', { title: 'x'.repeat(2000) });
  expect(introductionOf(long)).toEqual(introductionOf(long));
  expect(introductionOf(long)).not.toBe(introductionOf(long));
  const first = introductionOf(textOf('first'));
  for (let index = 0; index < 64; index += 1) introductionOf(textOf(`other ${index}`));
  expect(introductionOf(textOf('first'))).not.toBe(first);
});

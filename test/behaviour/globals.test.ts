import { expect, it } from 'vitest';

it('loading everything leaves the platform as it was: nothing global is added, removed or replaced', async () => {
  const names = Object.getOwnPropertyNames(globalThis).sort();
  // Getters make what they give on first use; these are made here.
  const made = [Request, Response, Headers, fetch, ReadableStream, URL, TextDecoder];
  const values = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(
    ([, { value }]) => value !== undefined,
  );
  await Promise.all([import('tenon'), import('tenon/client'), import('tenon/server'), import('tenon/node')]);
  await Promise.all([import('tenon/stdio'), import('tenon/extensions/tasks')]);
  expect([Request, Response, Headers, fetch, ReadableStream, URL, TextDecoder]).toEqual(made);
  expect(Object.getOwnPropertyNames(globalThis).sort()).toEqual(names);
  for (const [name, { value }] of values) expect(Reflect.get(globalThis, name), name).toBe(value);
});

/** When a server loads the judge of values, and what becomes of calls where it cannot be loaded. */
import { afterEach, expect, it, vi } from 'vitest';
import { introductions, served } from '../../test/fixtures/served.ts';

afterEach(() => {
  vi.doUnmock('../schema/judge.ts');
  vi.resetModules();
});

it.each(introductions)('loads it behind the first list (%s)', async how => {
  vi.resetModules();
  const loaded = vi.fn();
  vi.doMock('../schema/judge.ts', async original => {
    loaded();
    return await original();
  });
  const { Server } = await import('./server.ts');
  const { tool } = await import('../tools/tool.ts');
  const input = { type: 'object', properties: { text: { type: 'string', minLength: 2 } } } as const;
  const tools = [tool({ name: 'say', description: '', input, run: ({ text }) => String(text) })];
  const client = served(new Server({ name: 's', version: '1', tools }), how);
  expect(loaded).not.toHaveBeenCalled();
  await client.ask('tools/list', {});
  await vi.waitFor(() => expect(loaded).toHaveBeenCalled());
});

it.each(introductions)('needs none for arguments that fit a simple schema (%s)', async how => {
  vi.resetModules();
  vi.doMock('../schema/judge.ts', () => {
    throw new Error('the package is gone');
  });
  const { Server } = await import('./server.ts');
  const { tool } = await import('../tools/tool.ts');
  const input = { type: 'object', properties: { text: { type: 'string' } } } as const;
  const tools = [tool({ name: 'say', description: '', input, run: ({ text }) => String(text) })];
  const client = served(new Server({ name: 's', version: '1', tools, onFault: () => {} }), how);
  const answer = await client.ask('tools/call', { name: 'say', arguments: { text: 'a' } });
  expect(answer).toMatchObject({ result: { content: [{ text: 'a' }] } });
});

it.each(introductions)('is not the fault of a tool that has done its work (%s)', async how => {
  vi.resetModules();
  vi.doMock('../schema/judge.ts', () => {
    throw new Error('no such file: /here/judge.js');
  });
  const { Server } = await import('./server.ts');
  const { tool } = await import('../tools/tool.ts');
  const output = { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } } as const;
  const faults: string[] = [];
  const onFault = (message: string): number => faults.push(message);
  const input = { type: 'object' } as const;
  const tools = [tool({ name: 'send', description: '', input, output, run: () => ({ id: 7 }) })];
  const client = served(new Server({ name: 's', version: '1', tools, onFault }), how);
  const answer = await client.ask('tools/call', { name: 'send', arguments: {} });
  expect(answer).toMatchObject({ error: { code: -32603 } });
  expect(JSON.stringify(answer)).not.toMatch(/failed|judge/);
  expect(faults).toEqual(['tools/call: internal error']);
});

import { describe, expect, it, vi } from 'vitest';
import { plainClient } from '../../test/fixtures/plain-server.ts';
import type { Diagnostic } from '../channels/channel.ts';
import type { Client } from './client.ts';

const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };

async function listed(result: object, schema: unknown = outputSchema): Promise<Client> {
  const { client } = await plainClient({
    'tools/list': () => ({ tools: [{ name: 'add', inputSchema: { type: 'object' }, outputSchema: schema }] }),
    'tools/call': () => result,
  });
  await client.tools().all();
  return client;
}

const kinds = (client: Client): string[] => client.diagnostics.map(({ kind }) => kind);

describe('a structured result', () => {
  it('that fits the schema it was listed with is nothing to speak of', async () => {
    const client = await listed({ structuredContent: { sum: 3 } });
    await client.call('add');
    expect(kinds(client)).not.toContain('output-mismatch');
    await client.close();
  });

  it('that does not fit is given all the same, and noted with the reason', async () => {
    const client = await listed({ structuredContent: { sum: 'three' } });
    expect((await client.call('add')).structuredContent).toEqual({ sum: 'three' });
    expect(client.diagnostics).toContainEqual({
      kind: 'output-mismatch',
      message: 'tools/call: the structured content of "add" does not fit its output schema',
      data: [expect.objectContaining({ path: ['sum'] })],
    });
    await client.close();
  });

  it('that is missing is noted', async () => {
    const client = await listed({ content: [] });
    await client.call('add');
    expect(kinds(client)).toContain('output-mismatch');
    await client.close();
  });

  it('of a failure is not compared: the schema describes success', async () => {
    const client = await listed({ isError: true, structuredContent: { reason: 'x' } });
    expect(await client.call('add')).toMatchObject({ isError: true, structuredContent: { reason: 'x' } });
    expect(kinds(client)).not.toContain('output-mismatch');
    await client.close();
  });

  it('of a tool whose schema cannot be used is given, and the schema is noted once', async () => {
    const client = await listed({ structuredContent: 1 }, { $ref: 'https://example.com/schema' });
    await client.call('add');
    expect((await client.call('add')).structuredContent).toBe(1);
    expect(kinds(client).filter(kind => kind === 'output-schema')).toHaveLength(1);
    await client.close();
  });

  it('is not compared before the tools were listed', async () => {
    const { client } = await plainClient({ 'tools/call': () => ({ structuredContent: 1 }) });
    await client.call('add');
    expect(kinds(client)).not.toContain('output-mismatch');
    await client.close();
  });

  it('is the caller’s also where it cannot be compared', async () => {
    vi.resetModules();
    vi.doMock('../schema/judge.ts', () => {
      throw new Error('the package is gone');
    });
    const told: Diagnostic[] = [];
    const check = new (await import('./output-check.ts')).OutputCheck(diagnostic => told.push(diagnostic));
    const schema = { type: 'object', properties: { sum: { type: 'number', minimum: 0 } } };
    check.learn([{ name: 'add', outputSchema: schema }]);
    await check.check('add', { content: [], isError: false, structuredContent: { sum: 3 } } as never);
    expect(told).toMatchObject([
      {
        kind: 'output-schema',
        message: 'tools/call: the structured content of "add" could not be compared with its output schema',
        data: { message: expect.stringContaining('could not be loaded') },
      },
    ]);
    vi.doUnmock('../schema/judge.ts');
    vi.resetModules();
  });

  it('is compared with the newest list alone', async () => {
    let schema: object | undefined = outputSchema;
    const { client } = await plainClient({
      'tools/list': () => ({ tools: [{ name: 'add', inputSchema: {}, outputSchema: schema }] }),
      'tools/call': () => ({ structuredContent: 1 }),
    });
    await client.tools().all();
    schema = undefined;
    await client.tools().all();
    await client.call('add');
    expect(kinds(client)).not.toContain('output-mismatch');
    await client.close();
  });
});

import { describe, expect, it } from 'vitest';
import { callPattern, invoice, say } from './fixtures/patterns.ts';

describe('served structured', () => {
  it('gives data of the schema that was named', async () => {
    const { result, model } = await callPattern('structured', { prompt: 'Total 7', schema: 'invoice' }, [
      say('The total is {"sum": 7}'),
      say('```json\n{"total": 7}\n```'),
    ]);
    expect(result.structuredContent).toMatchObject({
      data: { total: 7 },
      schema: 'invoice',
      attempts: 2,
      usage: { calls: 2 },
    });
    expect(JSON.stringify(result.content)).toContain('{\\"total\\":7}');
    expect(model.requests[0]?.output).toMatchObject({ schema: invoice });
  });

  it('says why no answer was taken, and what they cost', async () => {
    const { result } = await callPattern(
      'structured',
      { prompt: 'Total', schema: 'invoice', max_repairs: 1 },
      [say('no'), say('{}')],
    );
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      kind: 'unusable-output',
      cost: { calls: 2 },
      evidence: { attempts: 2 },
    });
    expect(JSON.stringify(result.content)).toContain('no answer fitted the schema after 2 attempts');
  });

  it.each([[{ schema: 'receipt' }], [{ schema: invoice }], [{}], [{ schema: '__proto__' }]])(
    'takes no schema but by its name: %j',
    async more => {
      const { result, model } = await callPattern('structured', { prompt: 'p', ...more }, []);
      expect(result.isError).toBe(true);
      expect(model.requests).toEqual([]);
    },
  );
});

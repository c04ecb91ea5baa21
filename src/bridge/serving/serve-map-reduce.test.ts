import { describe, expect, it } from 'vitest';
import { ModelError } from '../../models/model-error.ts';
import type { ScriptedStep } from '../../testing/scripted.ts';
import { callPattern, say } from './fixtures/patterns.ts';

describe('served map_reduce', () => {
  const templates = { map: 'Sum up {item}', reduce: 'Join {results}' };

  it('asks about each item and then about all answers', async () => {
    const { result, model } = await callPattern('map_reduce', { items: ['a', 'b'], ...templates }, [
      say('A'),
      say('B'),
      say('AB'),
    ]);
    expect(result.structuredContent).toMatchObject({
      answer: 'AB',
      worked: 1,
      failedItems: [],
      usage: { calls: 3 },
    });
    expect(JSON.stringify(model.requests[2])).toContain('Join A\\n\\n---\\n\\nB');
  });

  it('leaves out items that fail when the caller says so', async () => {
    const failing: ScriptedStep = ({ messages }) =>
      JSON.stringify(messages).includes('bad')
        ? new ModelError('no', { kind: 'refused', provider: 'x' })
        : say('ok');
    const args = { items: ['a', 'bad'], ...templates, on_item_failure: 'skip' };
    const { result } = await callPattern('map_reduce', args, [failing, failing, failing]);
    expect(result.structuredContent).toMatchObject({ worked: 0.5, failedItems: [1] });
    const all = await callPattern('map_reduce', { ...args, on_item_failure: 'fail' }, [failing, failing]);
    expect(all.result.structuredContent).toMatchObject({ kind: 'refused', evidence: { failedItems: [1] } });
  });

  it.each([
    [{ items: [], ...templates }],
    [{ items: Array.from({ length: 51 }, () => 'a'), ...templates }],
    [{ items: ['a'.repeat(20_001)], ...templates }],
    [{ items: ['a'], ...templates, map: 'no place' }],
    [{ items: ['a'], ...templates, reduce: '{results' }],
    [{ items: ['a'], ...templates, map: '{item} {secret}' }],
    [{ items: ['a'], map: '{item}'.padEnd(4001), reduce: '{results}' }],
  ])('refuses what it cannot use before anything is spent', async args => {
    const { result, model } = await callPattern('map_reduce', args, []);
    expect(result.isError).toBe(true);
    expect(model.requests).toEqual([]);
  });
});

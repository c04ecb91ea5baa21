import { describe, expect, it } from 'vitest';
import type { Call, Outcome } from '../protocol/call.ts';
import type { Extension } from '../protocol/extension.ts';
import { tool } from '../tools/tool.ts';
import { aroundCalls } from './around-calls.ts';

const greet = tool({ name: 'greet', description: '', run: () => 'hello' });
const call = { method: 'tools/call' } as Call;
const report = (): void => {};

function layer(id: string, steps: string[]): Extension {
  return {
    id,
    aroundCall: async (inner, { tool: called, next }) => {
      steps.push(`${id} before ${called.name}`);
      const outcome = await next({ ...inner, principal: `${inner.principal ?? ''}${id}` });
      steps.push(`${id} after`);
      return outcome;
    },
  };
}

describe('what extensions put around calls', () => {
  it('is nothing when none of them has anything to put', () => {
    expect(aroundCalls([{ id: 'x/a' }], report)).toBeUndefined();
  });

  it('begins with the first and hands each the call of the one before', async () => {
    const steps: string[] = [];
    const around = aroundCalls([layer('a', steps), { id: 'x/b' }, layer('c', steps)], report);
    const run = async (inner: Call): Promise<Outcome> => {
      steps.push(`run for ${inner.principal}`);
      return { value: {} };
    };
    expect(await around?.(call, greet, run)).toEqual({ value: {} });
    expect(steps).toEqual(['a before greet', 'c before greet', 'run for ac', 'c after', 'a after']);
  });

  it('may answer without running the tool', async () => {
    const refuse: Extension = { id: 'x/a', aroundCall: () => Promise.resolve({ value: { refused: true } }) };
    let runs = 0;
    const run = async (): Promise<Outcome> => {
      runs += 1;
      return { value: {} };
    };
    expect(await aroundCalls([refuse], report)?.(call, greet, run)).toEqual({ value: { refused: true } });
    expect(runs).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { drive, scriptedTask } from './fixtures/scripted-tasks.ts';

const done = { status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };
const elicitation = { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } };
const asks = (...keys: string[]): object => ({
  status: 'input_required',
  inputRequests: Object.fromEntries(keys.map(key => [key, elicitation])),
});

describe('a task', () => {
  it('has 16 of its questions answered at once, and fails when it asks more than 1,000', async () => {
    const keys = (count: number): string[] => Array.from({ length: count }, (_none, index) => `q${index}`);
    let running = 0;
    let most = 0;
    const onElicit = async () => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      return { action: 'decline' } as const;
    };
    const { client, clock, sent } = await scriptedTask([asks(...keys(100)), {}, done], { onElicit });
    const call = client.call('job');
    await turn();
    clock.advance(200);
    while (sent('tasks/update').length < 100) await turn();
    await drive(clock, call);
    expect(most).toBe(16);
    const flood = await scriptedTask([asks(...keys(1001))], { onElicit });
    await expect(drive(flood.clock, flood.client.call('job'))).rejects.toThrow(
      'it asks 1001 questions at once; 1000 are the limit',
    );
  });
});

import { expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import { MemoryTaskStore } from './store.ts';
import type { TaskRecord } from './task.ts';

const over = (taskId: string, principal: string | null): TaskRecord => ({
  taskId,
  principal,
  status: 'completed',
  createdAt: '',
  lastUpdatedAt: '',
  ttlMs: null,
  pollIntervalMs: 1,
});

it('a full store makes room at the cost of who keeps the most, not of who came first', () => {
  const store = new MemoryTaskStore({ clock: manualClock(), limit: 4 });
  store.create(over('ann 1', 'ann'));
  for (let count = 1; count <= 20; count += 1) store.create(over(`bob ${count}`, 'bob'));
  expect(store.size).toBe(4);
  expect(store.get('ann 1')?.principal).toBe('ann');
  expect(['bob 17', 'bob 18', 'bob 19', 'bob 20'].map(id => store.get(id) !== undefined)).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

import { describe, expect, it } from 'vitest';
import { revisions } from '../eras/index.ts';
import { Server } from '../server/server.ts';
import { tool } from '../tools/tool.ts';
import { connect } from './client.ts';

const turn = () => new Promise(setImmediate);

describe('a client', () => {
  it.each([revisions.at(-1), revisions.at(-2)])(
    'answers at most `maxQuestions` of a kind at once, of calls and of extensions (%s)',
    async protocol => {
      const requestedSchema = { type: 'object', properties: {} } as const;
      const form = (nr: number) => ({ message: String(nr), requestedSchema });
      const poll = tool({
        name: 'poll',
        description: 'Asks five people.',
        run: async (_args, { elicit }) => {
          const answers = await Promise.all([0, 1, 2, 3, 4].map(nr => elicit(`q${nr}`, form(nr))));
          return answers.map(({ action }) => action).join();
        },
      });
      const open: (() => void)[] = [];
      let most = 0;
      const client = await connect(new Server({ name: 's', version: '1', tools: [poll] }), {
        protocol: protocol ?? 'auto',
        maxQuestions: 2,
        onElicit: () =>
          new Promise(resolve => {
            open.push(() => resolve({ action: 'decline' }));
            most = Math.max(most, open.length);
          }),
      });
      let over = false;
      const call = client.call('poll').finally(() => {
        over = true;
      });
      const { signal } = new AbortController();
      const own = client.access().answer({ kind: 'elicit', params: form(5) }, signal);
      for (; !over; await turn()) open.shift()?.();
      while (open.length > 0) open.shift()?.();
      expect(await own).toEqual({ action: 'decline' });
      expect((await call).content).toEqual([
        { type: 'text', text: 'decline,decline,decline,decline,decline' },
      ]);
      expect(most).toBe(2);
      expect(client.diagnostics.map(({ kind }) => kind)).toContain('questions-wait');
      await client.close();
    },
  );
});

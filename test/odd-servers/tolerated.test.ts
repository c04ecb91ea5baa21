/** What our client understands although it is not legal is told, once, and the revision is what was agreed on. */
import { describe, expect, test } from 'vitest';
import { meet, useGood } from '../interop/meeting.ts';

describe('an odd answer is told once however often it comes, and the good tool is used', () => {
  test.concurrent.each([
    ['string-ids', 'id-as-string'],
    ['error-null', 'error-null'],
    ['method-null', 'method-null'],
    ['extra-members', 'extra-member'],
    ['no-version', 'version'],
    ['odd-version', 'version'],
  ])('%s: %s', (variant, word) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      expect(client.revision).toBe('2025-11-25');
      await useGood(client);
      await useGood(client);
      expect(client.diagnostics.filter(({ kind }) => kind === 'odd-answer')).toEqual([
        { kind: 'odd-answer', message: expect.stringContaining('tolerated'), data: word },
      ]);
    }),
  );

  test.concurrent('result-null-beside-error: the error counts, and that there was a result is told', () =>
    meet('result-null-beside-error', async ({ connect }) => {
      const client = await connect();
      await expect(client.call('nobody')).rejects.toMatchObject({ name: 'ProtocolError', code: -32602 });
      expect(client.diagnostics).toContainEqual(expect.objectContaining({ data: 'result-and-error' }));
    }));

  test.concurrent.each(['ordinary', 'stateless', 'crlf', 'reverse'])('%s: nothing is told', variant =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      const texts = ['a', 'b'];
      await Promise.all([client.tools().all(), ...texts.map(text => client.call('good', { text }))]);
      expect(client.diagnostics.map(({ kind }) => kind)).toEqual(['era']);
    }),
  );
});

describe('noise on stdout is told with what it was, each line once', () => {
  test.concurrent.each([
    ['banner', 1],
    ['banner-before-initialize', 2],
  ])('%s: %i line(s) before the first answer', (variant, count) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      const noise = client.diagnostics.filter(({ kind }) => kind === 'stdout-noise');
      expect(noise).toHaveLength(count);
      for (const { data } of noise) expect(String(data).trim()).not.toBe('');
      await useGood(client);
    }),
  );
});

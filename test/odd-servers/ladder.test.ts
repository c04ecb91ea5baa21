/** The way from the probe to a revision: what is asked of which process, in which order, for each kind of answer. */
import { describe, expect, test } from 'vitest';
import { EraMemory } from '../../src/entries/client.ts';
import { kinds, meet, useGood } from '../interop/meeting.ts';

const discover = 'server/discover';
const handshake = ['initialize', 'notifications/initialized'];

/** The methods that were asked before the first list. */
function opening(received: readonly string[]): string[] {
  const methods = received.map(line => (JSON.parse(line) as { method: string }).method);
  return methods.slice(0, methods.indexOf('tools/list'));
}

describe('one process is enough for', () => {
  test.concurrent.each([
    ['stateless', '2026-07-28', [discover]],
    ['discover-not-found', '2025-11-25', [discover, ...handshake]],
    ['discover-internal-error', '2025-11-25', [discover, ...handshake]],
    ['discover-code-zero', '2025-11-25', [discover, ...handshake]],
    ['discover-wrong-id', '2025-11-25', [discover, ...handshake]],
    ['discover-null-id', '2025-11-25', [discover, ...handshake]],
    ['discover-silent', '2025-11-25', [discover, ...handshake]],
    ['discover-garbage', '2025-11-25', [discover, ...handshake]],
    ['discover-empty-result', '2025-11-25', [discover, ...handshake]],
    ['discover-older-only', '2025-11-25', [discover, ...handshake]],
  ])('%s: %s by %j', (variant, revision, methods) =>
    meet(variant, async ({ connect, received, starts }) => {
      const client = await connect();
      await useGood(client);
      expect(client.revision).toBe(revision);
      expect(opening(received())).toEqual(methods);
      expect(starts()).toBe(1);
    }),
  );
});

describe('a fresh process gets initialize first after', () => {
  test.concurrent.each([
    ['discover-exits', [discover, ...handshake]],
    ['discover-exits-cleanly', [discover, ...handshake]],
    ['exits-before-initialize', [discover, ...handshake]],
    // It takes the probe for the handshake, and refuses the real one.
    ['auto-initialised', [discover, 'initialize', ...handshake]],
  ])('%s: %j', (variant, methods) =>
    meet(variant, async ({ connect, received, starts }) => {
      const client = await connect();
      await useGood(client);
      expect(client.revision).toBe('2025-11-25');
      expect(opening(received())).toEqual(methods);
      expect(starts()).toBe(2);
    }),
  );
});

describe('what was learnt is kept', () => {
  test.concurrent('a server that exits on the probe is not probed the second time', () =>
    meet('discover-exits', async ({ connect, starts }) => {
      const eraMemory = new EraMemory();
      await connect({ options: { eraMemory } });
      expect(starts()).toBe(2);
      const client = await connect({ options: { eraMemory } });
      await useGood(client);
      expect(starts()).toBe(3);
      expect(client.diagnostics).toContainEqual(expect.objectContaining({ kind: 'era' }));
    }));

  test.concurrent('a silent server costs its wait once', () =>
    meet('discover-silent', async ({ connect, received }) => {
      const eraMemory = new EraMemory();
      await useGood(await connect({ options: { eraMemory } }));
      const before = received().length;
      const client = await connect({ options: { eraMemory } });
      await useGood(client);
      expect(opening(received().slice(before))).toEqual(handshake);
      expect(kinds(client)).toContain('era');
    }));
});

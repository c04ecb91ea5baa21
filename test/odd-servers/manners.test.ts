/** Our client keeps its manners with every server there is: it writes only what is legal, and everything it does ends. */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  isConnectionError,
  isProtocolError,
  isTimeoutError,
  isVersionError,
} from '../../src/entries/client.ts';
import { variants } from '../fixtures/odd-server/variants.mjs';
import { meet } from '../interop/meeting.ts';

const handshake = '2025-11-25';
const stateless = '2026-07-28';

/** Variants with which there is nothing to be agreed on, or that are dead or deaf. */
const refused: Readonly<Record<string, string>> = {
  'dies-at-start': 'ConnectionError',
  'dies-at-start-silently': 'ConnectionError',
  'dies-on-initialize': 'ConnectionError',
  'discover-newer-only': 'VersionError',
  'everything-silent': 'TimeoutError',
  'initialize-empty-result': 'VersionError',
  'initialize-null-result': 'VersionError',
  'initialize-refused': 'ProtocolError',
  'initialize-silent': 'TimeoutError',
  launcher: 'ConnectionError',
  'never-reads': 'TimeoutError',
  'offers-nothing': 'VersionError',
  'offers-number': 'VersionError',
  'offers-stateless': 'VersionError',
  'offers-unknown': 'VersionError',
  'start-on-signal': 'TimeoutError',
  'unsupported-newer': 'VersionError',
  'unsupported-same': 'VersionError',
  'unsupported-without-data': 'VersionError',
};
const revisions: Readonly<Record<string, string>> = { 'offers-older': '2024-11-05' };

const isStateless = (variant: string): boolean =>
  (variants[variant] as { readonly stateless?: unknown } | undefined)?.stateless !== undefined;

const isOurs = (error: unknown): boolean =>
  isConnectionError(error) || isProtocolError(error) || isTimeoutError(error) || isVersionError(error);

/** What is written must be one object a line, a request with a small id, a notification, or an answer to a request. */
function check(line: string): void {
  const message = JSON.parse(line) as Record<string, unknown>;
  expect(message['jsonrpc']).toBe('2.0');
  const { id, method, error } = message as { id?: unknown; method?: unknown; error?: { code: number } };
  if (method !== undefined) {
    expect(typeof method).toBe('string');
    if (id !== undefined) expect(Number.isSafeInteger(id)).toBe(true);
    return;
  }
  // An answer names what it answers, and what came was readable: there is nobody to be told of what was not.
  expect(['string', 'number']).toContain(typeof id);
  expect(error?.code).not.toBe(-32700);
}

async function use(client: Client): Promise<void> {
  const uses = [client.tools().all(), client.call('good'), client.call('good', { text: 'b' })];
  for (const outcome of await Promise.allSettled(uses)) {
    if (outcome.status === 'rejected') expect(isOurs(outcome.reason), String(outcome.reason)).toBe(true);
  }
}

describe('whatever the server does', () => {
  test.concurrent.each(Object.keys(variants))('%s', variant =>
    meet(variant, async ({ connect, received }) => {
      // Only silence is waited for: whoever answers or ends does so in time, however slow the machine is.
      const limit = refused[variant] === 'TimeoutError' ? 4000 : 50_000;
      const timeouts = { connect: limit, connectTotal: limit, idle: 400, total: 2000 };
      const met = await connect({ options: { timeouts } }).catch((error: unknown) => error);
      if (met instanceof Error) {
        expect(met.name, met.message).toBe(refused[variant]);
      } else {
        const client = met as Client;
        expect(refused[variant]).toBeUndefined();
        const expected = revisions[variant] ?? (isStateless(variant) ? stateless : handshake);
        expect(client.revision).toBe(expected);
        await use(client);
        await client.close();
      }
      for (const line of received()) check(line);
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { factsOfRevision, handshakeRevisions, latestFacts } from './handshake/revisions.ts';
import { isStatelessRequest, statelessRevisions } from './stateless/envelope.ts';
import { eraOf, latestOf, revisions, revisionsOf } from './versions.ts';

describe('the revisions', () => {
  it('stand in order, each in one era', () => {
    expect(revisions).toEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']);
    expect([...revisionsOf('handshake')].reverse().concat(revisionsOf('stateless'))).toEqual(revisions);
    expect([latestOf('handshake'), latestOf('stateless')]).toEqual(['2025-11-25', '2026-07-28']);
  });

  it.each([undefined, null, 7, '', '2025-11-25 ', '2099-01-01', ['2025-11-25'], 'constructor'])(
    'do not hold %j',
    revision => {
      expect([eraOf(revision), factsOfRevision(revision)]).toEqual([undefined, undefined]);
    },
  );

  it('have a row of facts each in the handshake era, and batches in one alone', () => {
    expect(handshakeRevisions.map(revision => factsOfRevision(revision)?.revision)).toEqual(
      handshakeRevisions,
    );
    expect(latestFacts.revision).toBe('2025-11-25');
    expect(handshakeRevisions.filter(revision => factsOfRevision(revision)?.batches)).toEqual(['2025-03-26']);
    expect(statelessRevisions).toEqual(['2026-07-28']);
  });
});

describe('a request belongs to the stateless era', () => {
  const version = 'io.modelcontextprotocol/protocolVersion';

  it.each([
    ['with the version in its envelope', 'tools/list', { _meta: { [version]: '2026-07-28' } }, true],
    ['with any version there', 'initialize', { _meta: { [version]: null } }, true],
    ['by its name', 'server/discover', undefined, true],
    ['by its name', 'subscriptions/listen', {}, true],
    ['not with other keys there', 'tools/list', { _meta: { progressToken: 1 } }, false],
    ['not with an odd _meta', 'tools/list', { _meta: 'x' }, false],
    ['not with the version elsewhere', 'tools/list', { [version]: '2026-07-28' }, false],
    ['not without parameters', 'tools/list', undefined, false],
  ])('%s (%s)', (_name, method, params, expected) => {
    const request = { jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) } as const;
    expect(isStatelessRequest(request)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { TimeoutError } from '../basics/timeout-error.ts';
import { ConnectionError } from '../rpc/connection-error.ts';
import { ProtocolError } from '../rpc/protocol-error.ts';
import { judgeProbe, type ProbeOutcome, type Verdict } from './verdict.ts';

const refusal = (code: number, data?: unknown): ProbeOutcome => ({
  error: new ProtocolError(code, 'refused', { data }),
});
const result = (value: unknown): ProbeOutcome => ({ result: value });
const gone = new ConnectionError('gone', { phase: 'read', reason: 'exited', outcome: 'unknown' });
const slow = new TimeoutError('slow', { phase: 'connect', limit: 'connect', ms: 1 });
const newest = '2026-07-28';

describe('the verdict on the probe', () => {
  const table: readonly (readonly [string, ProbeOutcome, Verdict])[] = [
    [
      'a good result',
      result({ supportedVersions: [newest], capabilities: {} }),
      { era: 'stateless', revision: newest },
    ],
    [
      'a result that names older revisions too',
      result({ supportedVersions: ['2025-11-25', newest] }),
      { era: 'stateless', revision: newest },
    ],
    [
      'a result that names newer revisions too',
      result({ supportedVersions: ['2099-01-01', newest] }),
      { era: 'stateless', revision: newest },
    ],
    ['a result without versions', result({}), { era: 'handshake' }],
    ['a result of null', result(null), { era: 'handshake' }],
    ['a result that is an array', result([newest]), { era: 'handshake' }],
    ['a result that is a text', result('hello'), { era: 'handshake' }],
    ['versions that are no list', result({ supportedVersions: newest }), { era: 'handshake' }],
    [
      'older revisions alone',
      result({ supportedVersions: ['2025-11-25', '2024-11-05'] }),
      { era: 'handshake', offered: ['2025-11-25', '2024-11-05'] },
    ],
    [
      'unknown newer revisions alone',
      result({ supportedVersions: ['2099-01-01', 7, null] }),
      { era: 'neither', offered: ['2099-01-01'] },
    ],
    ['an empty list of versions', result({ supportedVersions: [] }), { era: 'handshake' }],
    ['a list of versions without a text', result({ supportedVersions: [7] }), { era: 'handshake' }],
    [
      '-32022 that names just what it refuses',
      refusal(-32022, { supported: [newest], requested: newest }),
      { era: 'neither', offered: [] },
    ],
    [
      '-32022 that names what it refuses and older ones',
      refusal(-32022, { supported: [newest, '2025-11-25'] }),
      { era: 'handshake', offered: ['2025-11-25'] },
    ],
    [
      '-32022 that names older ones',
      refusal(-32022, { supported: ['2025-06-18'] }),
      { era: 'handshake', offered: ['2025-06-18'] },
    ],
    [
      '-32022 that names a newer one',
      refusal(-32022, { supported: ['2099-01-01'] }),
      { era: 'neither', offered: ['2099-01-01'] },
    ],
    ['-32022 without data', refusal(-32022), { era: 'neither', offered: [] }],
    ['-32022 with odd data', refusal(-32022, ['x']), { era: 'neither', offered: [] }],
    ...[-32601, -32602, -32603, -32600, -32700, -32000, -32002, -32001, 0, 1, -1, 404].map(
      code => [`error ${code}`, refusal(code), { era: 'handshake' }] as const,
    ),
    ['a connection that is gone', { error: gone }, { era: 'gone' }],
    ['a limit that ran out', { error: slow }, { era: 'handshake' }],
  ];

  for (const [name, outcome, verdict] of table) {
    it(`on ${name} is ${verdict.era}`, () => {
      expect(judgeProbe(outcome)).toEqual(verdict);
    });
  }

  it.each([-32020, -32021])(
    'on %i is left to the caller: only the newer era has it, and it is a fault',
    code => {
      const outcome = refusal(code);
      const error = 'error' in outcome ? outcome.error : undefined;
      expect(judgeProbe(outcome)).toEqual({ era: 'unknown', error });
    },
  );

  it('on what is no evidence hands the failure on', () => {
    const error = new DOMException('the caller left', 'AbortError');
    expect(judgeProbe({ error })).toEqual({ era: 'unknown', error });
  });

  it('does not depend on which copy of the package made the error', () => {
    const foreign = Object.defineProperty(
      { code: -32601, message: 'no', data: undefined },
      Symbol.for('tenon.failure'),
      { value: ['ProtocolError'] },
    );
    expect(judgeProbe({ error: foreign })).toEqual({ era: 'handshake' });
  });
});

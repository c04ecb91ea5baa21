import { describe, expect, it } from 'vitest';
import { judge, judgeTotals, matches } from '../../scripts/conformance/judge.mjs';

const success = { id: 'a', status: 'SUCCESS' };
const skipped = { id: 'b', status: 'SKIPPED' };
const warning = { id: 'c', status: 'WARNING', errorMessage: 'should not' };
const excuse = { where: '* server *', scenario: 'odd-*', status: 'SKIPPED', reason: 'always' };
const where = '0.2 server all';

describe('a scenario', () => {
  it('passes with successes and information alone', () => {
    const checks = [success, success, { id: 'd', status: 'INFO' }];
    expect(judge({ scenario: 'x', checks }, where, [], new Set())).toEqual({
      scenario: 'x',
      passed: true,
      successes: 2,
      faults: [],
    });
  });

  it.each([[skipped], [warning], [{ id: 'e', status: 'FAILURE' }]])(
    'fails for %j beside a success',
    check => {
      const { passed, faults } = judge({ scenario: 'x', checks: [success, check] }, where, [], new Set());
      expect(passed).toBe(false);
      expect(faults[0]).toContain(`${check.status} ${check.id}`);
    },
  );

  it('fails without a success, and without a report', () => {
    expect(judge({ scenario: 'x', checks: [] }, where, [], new Set()).passed).toBe(false);
    expect(judge({ scenario: 'x', fault: 'it threw' }, where, [], new Set()).faults).toEqual(['it threw']);
    expect(judge({ scenario: 'x', checks: [success], fault: 'exit 1' }, where, [], new Set()).passed).toBe(
      false,
    );
  });

  it('is excused for having no success at all', () => {
    const none = { ...excuse, status: 'no success' };
    const used = new Set<object>();
    expect(judge({ scenario: 'odd-one', checks: [] }, where, [none], used as never).passed).toBe(true);
    expect(used.has(none)).toBe(true);
    const failed = { scenario: 'odd-one', checks: [{ id: 'x', status: 'FAILURE' }] };
    expect(judge(failed, where, [none], new Set()).passed).toBe(false);
  });

  it('is excused for that status in that place only, and remembers by what', () => {
    const used = new Set<object>();
    expect(judge({ scenario: 'odd-one', checks: [skipped] }, where, [excuse], used as never).passed).toBe(
      true,
    );
    expect(used.has(excuse)).toBe(true);
    expect(judge({ scenario: 'odd-one', checks: [warning] }, where, [excuse], new Set()).passed).toBe(false);
    expect(
      judge({ scenario: 'odd-one', checks: [skipped] }, '0.2 client all', [excuse], new Set()).passed,
    ).toBe(false);
    expect(judge({ scenario: 'one', checks: [skipped] }, where, [excuse], new Set()).passed).toBe(false);
  });

  it('is excused for one check when the excuse names it', () => {
    const narrow = { ...excuse, check: 'b' };
    const other = { id: 'f', status: 'SKIPPED' };
    expect(
      judge({ scenario: 'odd-one', checks: [success, skipped] }, where, [narrow], new Set()).passed,
    ).toBe(true);
    expect(judge({ scenario: 'odd-one', checks: [success, other] }, where, [narrow], new Set()).passed).toBe(
      false,
    );
  });
});

describe('a selection', () => {
  const verdict = { scenario: 'x', passed: true, successes: 2, faults: [] };

  it('must run as many scenarios as expected and succeed as often', () => {
    expect(judgeTotals([verdict, verdict], { scenarios: 2, successes: 4 })).toEqual([]);
    expect(judgeTotals([verdict], { scenarios: 2, successes: 2 })).toHaveLength(1);
    expect(judgeTotals([verdict, verdict], { scenarios: 2, successes: 5 })).toHaveLength(1);
    expect(judgeTotals([verdict], undefined)).toHaveLength(1);
  });
});

it('matches names as they are, apart from stars', () => {
  expect(matches('auth/*', 'auth/dpop')).toBe(true);
  expect(matches('0.2.0 server *', '0x2.0 server all')).toBe(false);
  expect(matches('*', 'anything at all')).toBe(true);
});

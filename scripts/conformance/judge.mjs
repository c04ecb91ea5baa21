/** Judges what the suite reports: pure functions from checks and what is expected to what is wrong. */
// @ts-check

/**
 * One check of the suite. Ids may come several times.
 * @typedef {{ id: string, status: string, errorMessage?: string }} Check
 *
 * What came of one scenario. `checks` is absent when the suite wrote none, which it does when a scenario throws.
 * @typedef {{ scenario: string, checks?: readonly Check[], fault?: string }} Report
 *
 * What may fall short of success, and why that is a fault of the suite. `where` is `version side selection`; `*` stands
 * for anything in it and in the names. `status` is one of the suite's, `no success` where there is none at all, or
 * `not run` for a client scenario that is left out.
 * @typedef {{ where: string, scenario: string, check?: string, status: string, reason: string }} Excuse
 *
 * @typedef {{ scenario: string, passed: boolean, successes: number, faults: readonly string[] }} Verdict
 */

/** @param {string} pattern @param {string} text */
export function matches(pattern, text) {
  const parts = pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}

/**
 * A scenario passes when it has a success and nothing but successes, information and what is excused. An excuse that
 * was used is added to `used`.
 * @param {Report} report @param {string} where @param {readonly Excuse[]} excuses @param {Set<Excuse>} used
 * @returns {Verdict}
 */
export function judge({ scenario, checks = [], fault }, where, excuses, used) {
  const fitting = excuses.filter(each => matches(each.where, where) && matches(each.scenario, scenario));
  /** @type {string[]} */
  const faults = fault === undefined ? [] : [fault];
  let isExcused = false;
  for (const { id, status, errorMessage = '' } of checks) {
    if (status === 'SUCCESS' || status === 'INFO') continue;
    const excuse = fitting.find(each => each.status === status && matches(each.check ?? '*', id));
    if (excuse) {
      used.add(excuse);
      isExcused = true;
    } else faults.push(`${status} ${id}: ${errorMessage.slice(0, 500)}`);
  }
  const successes = checks.filter(({ status }) => status === 'SUCCESS').length;
  if (successes === 0 && faults.length === 0 && !isExcused) {
    const excuse = fitting.find(each => each.status === 'no success');
    if (excuse) used.add(excuse);
    else faults.push('no check succeeded');
  }
  return { scenario, passed: faults.length === 0, successes, faults };
}

/**
 * What is wrong with a selection as a whole: too few scenarios or successes.
 * @param {readonly Verdict[]} verdicts @param {{ scenarios: number, successes: number } | undefined} wanted
 * @returns {string[]}
 */
export function judgeTotals(verdicts, wanted) {
  if (wanted === undefined)
    return ['expected.yml does not say how many scenarios and successes it must have'];
  const successes = verdicts.reduce((sum, each) => sum + each.successes, 0);
  /** @type {string[]} */
  const faults = [];
  if (verdicts.length !== wanted.scenarios) {
    faults.push(`ran ${verdicts.length} scenarios, expected ${wanted.scenarios}`);
  }
  if (successes < wanted.successes) faults.push(`${successes} successes, expected ${wanted.successes}`);
  return faults;
}

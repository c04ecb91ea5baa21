import { describe, expect, it } from 'vitest';
import { compare } from '../bench/guard/verdict.mjs';

const node = '20.1.0';

/** What is said of one figure that was `before` and is `after`. */
function judge(name: string, before: unknown, after: unknown, now = node) {
  const { faults, news } = compare({ node, [name]: before }, { node: now, [name]: after });
  return { faults, news };
}

const quiet = { faults: [], news: [] };

describe('the guard of the benchmark', () => {
  it('lets each kind of figure differ by what is its own', () => {
    expect(judge('allocated: a call', 1000, 1100)).toEqual(quiet);
    expect(judge('bytes: a start', 1000, 1020)).toEqual(quiet);
    expect(judge('bundle: small.js', 1000, 1300)).toEqual(quiet);
    expect(judge('bundle: large.js', 100_000, 102_000)).toEqual(quiet);
    expect(judge('instructions: a life', 1000, 1050)).toEqual(quiet);
  });

  it.each([
    ['allocated: a call', 1000, 1101],
    ['heap: a session', 1000, 1151],
    ['files: stdio', 3, 4],
    ['bytes: a start', 1000, 1021],
    ['bundle: small.js', 1000, 1301],
    ['bundle: large.js', 100_000, 102_001],
    ['instructions: a life', 1000, 1051],
  ])('faults %s that went up from %i to %i', (name, before, after) => {
    expect(judge(name, before, after)).toEqual({
      faults: [`${name}: ${after}, the baseline is ${before}`],
      news: [],
    });
  });

  it('tells of what went down, and does not believe that it more than halved', () => {
    expect(judge('allocated: a call', 1000, 500)).toEqual({
      faults: [],
      news: ['allocated: a call: 500, down from 1000; worth --update'],
    });
    expect(judge('allocated: a call', 1000, 499)).toEqual({
      faults: ['allocated: a call: 499, less than half of the 1000 of the baseline; look why'],
      news: [],
    });
  });

  it('faults a figure that could not be had, and says why', () => {
    expect(judge('heap: a session', 1000, 'not measured: it fell').faults).toEqual([
      'heap: a session: not measured: it fell',
    ]);
  });

  it('faults any other set of modules', () => {
    expect(judge('modules: stdio', '', '')).toEqual(quiet);
    expect(judge('modules: stdio', '', 'node:http2').faults).toEqual([
      'modules: stdio: node:http2; the baseline is none',
    ]);
    expect(judge('modules: node', 'node:buffer node:http', 'node:http').faults).toEqual([
      'modules: node: node:http; the baseline is node:buffer node:http',
    ]);
  });

  it('faults what only one of baseline and run has', () => {
    expect(judge('bundle: new.js', undefined, 10).faults).toEqual(['bundle: new.js is in this run alone']);
    expect(judge('bundle: old.js', 10, undefined).faults).toEqual([
      'bundle: old.js is in the baseline alone',
    ]);
  });

  it('leaves out what another version of Node makes different, and counts it', () => {
    expect(judge('instructions: a life', 10, 90, '20.1.1')).toEqual(quiet);
    expect(judge('allocated: a call', 10, 90, '20.1.1').faults).toHaveLength(1);
    expect(judge('allocated: a call', 10, 90, '22.0.0')).toEqual(quiet);
    expect(judge('files: stdio', 3, 4, '22.0.0').faults).toHaveLength(1);
    const verdict = compare(
      { node, 'heap: a session': 1, 'files: stdio': 3 },
      { node: '22.0.0', 'files: stdio': 3 },
    );
    expect(verdict).toEqual({ ...quiet, compared: 1, left: 1 });
  });

  it('leaves out what was not measured', () => {
    const known = { node, 'instructions: a life': 10 };
    expect(compare(known, { node }, () => true)).toEqual({ ...quiet, compared: 0, left: 1 });
    expect(compare(known, { node }).faults).toHaveLength(1);
  });
});

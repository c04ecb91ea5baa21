import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NameClaim, type NameOptions, nameTools } from './tool-names.ts';

const standard: NameOptions = { prefix: 'on-collision', separator: '__', reserved: [] };

/** Claims written as `server/tool` or `server/tool=rename`. */
function claims(...written: string[]): NameClaim[] {
  return written.map(each => {
    const [address = '', rename] = each.split('=');
    const [server = '', ...tool] = address.split('/');
    return { server, tool: tool.join('/'), ...(rename === undefined ? {} : { rename }) };
  });
}

function names(options: Partial<NameOptions>, ...written: string[]): string[] {
  return nameTools(claims(...written), { ...standard, ...options }).map(given =>
    'name' in given ? given.name : `! ${given.reason}`,
  );
}

describe('names', () => {
  it('are the tools’ own unless two servers have the same', () => {
    expect(names({}, 'a/read', 'a/write', 'b/read', 'b/list')).toEqual([
      'a__read',
      'write',
      'b__read',
      'list',
    ]);
  });

  it('never are those of local tools', () => {
    expect(names({ reserved: ['read-file'] }, 'a/read_file', 'a/other')).toEqual(['a__read_file', 'other']);
  });

  it('all have the prefix when it is wanted always, but for those that were given by hand', () => {
    expect(names({ prefix: 'always', separator: '.' }, 'a/x', 'a/y=mine', 'my server!/z')).toEqual([
      'a.x',
      'mine',
      'my_server_.z',
    ]);
  });

  it('without a prefix are refused to both of two tools, which says whose they are and what to do', () => {
    const [first, second, third] = names({ prefix: 'never', reserved: ['stop'] }, 'a/x', 'b/x', 'b/stop');
    expect(first).toMatch(/^! b has a tool named "x" too, and neither is offered; .*filter.*adjust/);
    expect(second).toMatch(/^! a has a tool named "x" too/);
    expect(third).toMatch(/^! the name "stop" is that of another tool of the agent/);
  });

  it('stay apart where a provider would make them the same', () => {
    const [first, second] = names({ prefix: 'always' }, 'a-b/c', 'a_b/c');
    expect(first).toMatch(/^a-b__c_[a-z0-9]{7}$/);
    expect(second).toMatch(/^a_b__c_[a-z0-9]{7}$/);
    expect(first?.slice(-7)).not.toBe(second?.slice(-7));
  });

  it('stay apart where they would be cut to the same 64 characters', () => {
    const tool = 'x'.repeat(80);
    const given = names({ prefix: 'always' }, `${'k'.repeat(70)}1/${tool}`, `${'k'.repeat(70)}2/${tool}`);
    expect(new Set(given.map(name => name.slice(0, 64))).size).toBe(2);
    expect(given.every(name => name.length <= 64)).toBe(true);
  });

  it('of one server may differ in a sign only, since they are different names', () => {
    expect(names({}, 'a/x-y', 'a/x_y')).toEqual(['x-y', 'x_y']);
  });

  it('that a prefix makes equal to another tool’s own name give way', () => {
    const [prefixed, , own] = names({}, 'a/b', 'c/b', 'd/a__b');
    expect(own).toBe('a__b');
    expect(prefixed).toMatch(/^a__b_[a-z0-9]{7}$/);
  });

  it('that were given twice by hand get a mark each', () => {
    const given = names({}, 'a/x=same', 'a/y=same');
    expect(new Set(given).size).toBe(2);
    expect(given.every(name => /^a__same_[a-z0-9]{7}$/.test(name))).toBe(true);
  });

  const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', '_', '.', '/', 'é', '日'), minLength: 1 });
  const server = fc.string({ unit: fc.constantFrom('a', 'b', '-', '_', '日'), minLength: 1, maxLength: 4 });
  const sets = fc.uniqueArray(fc.record({ server, tool: word }), {
    selector: ({ server, tool }) => `${server}/${tool}`,
    maxLength: 12,
  });

  it('are different for all tools, whatever they are, and the same in whatever order they come', () => {
    fc.assert(
      fc.property(sets, fc.constantFrom('on-collision' as const, 'always' as const), (all, prefix) => {
        const options = { ...standard, prefix, reserved: ['a', 'a_b'] };
        const given = nameTools(all, options).flatMap(each => ('name' in each ? [each.name] : []));
        expect(new Set(given).size).toBe(given.length);
        expect(given).not.toContain('a');
        const backwards = nameTools([...all].reverse(), options);
        expect([...backwards].reverse()).toEqual(nameTools(all, options));
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});

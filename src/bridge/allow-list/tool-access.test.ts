import { describe, expect, it } from 'vitest';
import type { ServerAccess } from './config.ts';
import { isAllowed, ruleOf } from './tool-access.ts';

const reads = { readOnlyHint: true };
const writes = { readOnlyHint: false };

describe('a tool of a server', () => {
  it.each<[string, object | undefined, ServerAccess, boolean]>([
    ['read', undefined, { allow: ['read'] }, true],
    ['read', writes, { allow: ['read'], trustAnnotations: true }, true],
    ['write', undefined, { allow: ['read'] }, false],
    ['READ', undefined, { allow: ['read'] }, false],
    ['read_file', undefined, { allow: ['read_*'] }, true],
    ['read_file', writes, { allow: ['read_*'] }, true],
    ['read_file', undefined, { allow: ['read_*'], trustAnnotations: true }, false],
    ['read_file', writes, { allow: ['read_*'], trustAnnotations: true }, false],
    ['read_file', reads, { allow: ['read_*'], trustAnnotations: true }, true],
    ['wipe', reads, { allow: ['*'], trustAnnotations: true }, true],
    ['wipe', undefined, { allow: ['*'], readOnly: false }, true],
    ['wipe', writes, { allow: ['*'], readOnly: false, trustAnnotations: true }, true],
    ['wipe', undefined, { allow: ['*', '!wipe'], readOnly: false }, false],
    ['wipe', undefined, { allow: ['*', '!w*', 'wipe'], readOnly: false }, true],
    ['wipe', undefined, { allow: ['wipe', '!*'] }, false],
    ['wipe', undefined, { allow: ['wipe'], approval: 'deny' }, false],
    ['wipe', undefined, { allow: ['wipe'], rules: { 'w*': { approval: 'deny' } } }, false],
    [
      'wipe',
      undefined,
      { allow: ['wipe'], rules: { 'w*': { approval: 'deny' }, wipe: { approval: 'ask' } } },
      true,
    ],
    ['', undefined, { allow: ['read'] }, false],
  ])('named %j with the hints %j under %j may be used: %j', (name, annotations, access, expected) => {
    expect(isAllowed({ name, ...(annotations && { annotations }) }, access)).toBe(expected);
  });

  it.each<[string, object | undefined, ServerAccess, string]>([
    ['read', undefined, { allow: ['read'] }, 'never'],
    ['read_file', undefined, { allow: ['read_*'] }, 'never'],
    ['wipe', undefined, { allow: ['*'], readOnly: false }, 'ask'],
    ['wipe', reads, { allow: ['*'], readOnly: false }, 'ask'],
    ['look', reads, { allow: ['*'], readOnly: false, trustAnnotations: true }, 'never'],
    ['wipe', writes, { allow: ['*'], readOnly: false, trustAnnotations: true }, 'ask'],
    ['wipe', undefined, { allow: ['*', 'wipe'], readOnly: false }, 'never'],
    ['wipe', undefined, { allow: ['*'], readOnly: false, approval: 'never' }, 'never'],
    ['wipe', undefined, { allow: ['wipe'], approval: 'never', rules: { wipe: { approval: 'ask' } } }, 'ask'],
  ])('named %j with the hints %j under %j is approved: %s', (name, annotations, access, expected) => {
    expect(ruleOf({ name, ...(annotations && { annotations }) }, access).approval).toBe(expected);
  });

  it('keeps what every rule says of its arguments, whatever a later one says of others', () => {
    const path = { within: ['/data'] };
    const access: ServerAccess = {
      allow: ['write'],
      rules: {
        '*': { arguments: { path }, pin: { a: 1, b: 1 }, hide: ['c'] },
        write: { arguments: { text: { maxLength: 9 }, path: { maxLength: 5 } }, pin: { b: 2 }, hide: ['d'] },
      },
    };
    expect(ruleOf({ name: 'write' }, access)).toEqual({
      arguments: [
        ['path', path],
        ['text', { maxLength: 9 }],
        ['path', { maxLength: 5 }],
      ],
      pin: { a: 1, b: 2 },
      hide: ['c', 'd'],
      approval: 'never',
    });
  });

  it('has the members of all rules that fit, the later ones first', () => {
    const access: ServerAccess = {
      allow: ['read'],
      timeout: 1000,
      rules: {
        '*': { timeout: 2000, maxCalls: 3 },
        read: { maxCalls: 1, pin: { a: 1 } },
        write: { timeout: 1 },
      },
    };
    expect(ruleOf({ name: 'read' }, access)).toEqual({
      timeout: 2000,
      maxCalls: 1,
      pin: { a: 1 },
      arguments: [],
      approval: 'never',
    });
  });
});

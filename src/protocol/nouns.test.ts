import { describe, expect, it } from 'vitest';
import { isRoundEnded, RoundEnded } from './call.ts';
import { changeMethods, readChange, wants } from './change.ts';
import { isMissingCapability, isVersionError, MissingCapability, VersionError } from './errors.ts';
import { readInfo, readObject } from './identity.ts';
import { factsOf } from './methods.ts';
import { questionKinds, readQuestion } from './question.ts';

const odd = [undefined, null, 0, '', 'x', true, [], ['x']];

describe('what a peer says of itself', () => {
  it('is taken as it is, with placeholders for what is missing or odd', () => {
    const full = { name: 'n', version: '1', title: 'T', extra: [1] };
    expect(readInfo(full)).toEqual(full);
    expect(readInfo({ name: 5, version: null, title: 'T' })).toEqual({
      name: 'unknown',
      version: '0',
      title: 'T',
    });
    for (const value of odd) expect(readInfo(value)).toMatchObject({ name: 'unknown', version: '0' });
  });

  it('counts as empty where an object is expected and something else came', () => {
    const object = { a: 1 };
    expect(readObject(object)).toBe(object);
    for (const value of odd) expect(readObject(value)).toEqual({});
  });
});

describe('a change', () => {
  it('is told by one notification, and read back from it', () => {
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      expect(readChange(changeMethods[kind], undefined)).toEqual({ kind });
    }
    expect(readChange(changeMethods.resource, { uri: 'file:///a' })).toEqual({
      kind: 'resource',
      uri: 'file:///a',
    });
  });

  it('is not read from other notifications, nor from one that names no resource', () => {
    expect(readChange('notifications/message', {})).toBe(undefined);
    expect(readChange('constructor', {})).toBe(undefined);
    for (const params of [undefined, {}, { uri: 7 }]) {
      expect(readChange(changeMethods.resource, params)).toBe(undefined);
    }
  });

  it('is wanted by a filter that names its kind, its very resource, or one above it', () => {
    const resource = { kind: 'resource', uri: 'file:///a' } as const;
    expect(wants({ tools: true }, { kind: 'tools' })).toBe(true);
    expect(wants({ tools: true }, { kind: 'prompts' })).toBe(false);
    expect(wants({ resources: true }, resource)).toBe(false);
    expect(wants({ uris: ['file:///a'] }, resource)).toBe(true);
    expect(wants({ uris: ['file:///'] }, resource)).toBe(true);
    expect(wants({ uris: ['file:///b', 'file:///a/b'] }, resource)).toBe(false);
    const below = { kind: 'resource', uri: 'file:///a/b' } as const;
    expect(wants({ uris: ['file:///a'] }, below)).toBe(true);
    expect(wants({ uris: ['file:///a'] }, { kind: 'resource', uri: 'file:///ab' })).toBe(false);
    expect(wants({}, resource)).toBe(false);
  });
});

describe('a question', () => {
  it('is known by its method', () => {
    const params = { message: 'm' };
    expect(readQuestion(questionKinds.elicit.method, params)).toEqual({ kind: 'elicit', params });
    expect(readQuestion(questionKinds.sample.method, params)).toEqual({ kind: 'sample', params });
    expect(readQuestion(questionKinds.roots.method, params)).toEqual({ kind: 'roots' });
    for (const method of ['ping', 'constructor', undefined, 7]) {
      expect(readQuestion(method, params)).toBe(undefined);
    }
  });
});

describe('a method', () => {
  it('may ask, or be kept, as its row says; one without a row may do neither', () => {
    expect(factsOf('tools/call')).toEqual({ mayAsk: true, mayBeKept: false });
    expect(factsOf('tools/list')).toEqual({ mayAsk: false, mayBeKept: true });
    expect(factsOf('resources/read')).toEqual({ mayAsk: true, mayBeKept: true });
    for (const method of ['nope', 'constructor', '__proto__', 'toString']) {
      expect(factsOf(method)).toEqual({ mayAsk: false, mayBeKept: false });
    }
  });
});

describe('the failures', () => {
  const version = new VersionError('none in common', { asked: ['a'], offered: ['b'], hint: 'update' });
  const missing = new MissingCapability('cannot be asked', { roots: {} });
  const ended = new RoundEnded();

  it('are told apart by brand, and carry what they are about', () => {
    const all = [version, missing, ended, new Error('x'), null, 'x', {}];
    expect(all.map(isVersionError)).toEqual([true, false, false, false, false, false, false]);
    expect(all.map(isMissingCapability)).toEqual([false, true, false, false, false, false, false]);
    expect(all.map(isRoundEnded)).toEqual([false, false, true, false, false, false, false]);
    expect(version.toJSON()).toEqual({
      name: 'VersionError',
      message: 'none in common',
      hint: 'update',
      asked: ['a'],
      offered: ['b'],
    });
    expect(missing.required).toEqual({ roots: {} });
  });

  it('hold across copies of the package', () => {
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('tenon.round-ended'), { value: true });
    expect(isRoundEnded(foreign)).toBe(true);
  });
});

import { expect, it } from 'vitest';
import { childEnvironment, type EnvironmentOptions } from './child-environment.ts';

function environment(options: Partial<EnvironmentOptions>): Record<string, string> {
  return childEnvironment({ platform: 'linux', from: {}, inherit: 'safe', own: {}, ...options });
}

const posix = {
  PATH: '/bin',
  HOME: '/h',
  LANG: 'C',
  LC_ALL: 'C',
  TMPDIR: '/t',
  OPENAI_API_KEY: 's',
  AWS_SECRET: 's',
};

it('passes on what programs need and nothing that may be secret', () => {
  expect(environment({ from: posix })).toEqual({
    PATH: '/bin',
    HOME: '/h',
    LANG: 'C',
    LC_ALL: 'C',
    TMPDIR: '/t',
  });
});

it('adds the names that are asked for, or passes everything', () => {
  expect(environment({ from: posix, inherit: ['AWS_SECRET', 'ABSENT'] })).toMatchObject({
    PATH: '/bin',
    AWS_SECRET: 's',
  });
  expect(environment({ from: posix, inherit: 'all' })).toEqual(posix);
});

it('puts what is given on top, and takes away what is given as undefined', () => {
  expect(environment({ from: posix, own: { PATH: '/mine', A: '1', HOME: undefined } })).toEqual({
    PATH: '/mine',
    A: '1',
    LANG: 'C',
    LC_ALL: 'C',
    TMPDIR: '/t',
  });
});

it('keeps PATH when only something else is given', () => {
  expect(environment({ from: posix, own: { A: '1' } })['PATH']).toBe('/bin');
});

it('leaves exported shell functions out', () => {
  expect(environment({ from: { TERM: '() { :; }', LC_X: '() { :; }' } })).toEqual({});
});

it('on Windows passes what programs there need, whatever the case of the names', () => {
  const from = {
    Path: 'C:\\n',
    PATHEXT: '.EXE',
    ComSpec: 'cmd',
    SystemRoot: 'W',
    windir: 'W',
    'ProgramFiles(x86)': 'P',
    TEMP: 'T',
    APPDATA: 'A',
    SECRET: 's',
  };
  const { SECRET: _hidden, ...safe } = from;
  expect(environment({ platform: 'win32', from })).toEqual(safe);
});

it('on Windows a name given in another case replaces the one there', () => {
  const own = { PATH: 'D:\\' };
  expect(environment({ platform: 'win32', from: { Path: 'C:\\' }, own })).toEqual({ PATH: 'D:\\' });
  expect(environment({ platform: 'win32', from: { Path: 'C:\\' }, own: { path: undefined } })).toEqual({});
  expect(environment({ platform: 'win32', from: { Key: 'x' }, inherit: ['KEY'] })).toEqual({ Key: 'x' });
});

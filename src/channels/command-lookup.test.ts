import { expect, it } from 'vitest';
import { findCommand, type Lookup, type Standing } from './command-lookup.ts';

function find(command: string, files: Record<string, Standing>, options: Partial<Lookup> = {}) {
  const looked: string[] = [];
  const found = findCommand({
    command,
    cwd: '/folder',
    platform: 'linux',
    env: { PATH: '/usr/bin:/opt/bin' },
    probe: path => {
      looked.push(path);
      return files[path] ?? 'absent';
    },
    ...options,
  });
  return { ...found, looked };
}

const windows: Partial<Lookup> = {
  platform: 'win32',
  cwd: 'C:\\work',
  env: { Path: 'C:\\nodejs\\;"C:\\Program Files\\x";D:\\y', pathext: '.EXE;.CMD' },
};

it('takes the first executable on the PATH', () => {
  const found = find('a', { '/opt/bin/a': 'executable' });
  expect(found.file).toBe('/opt/bin/a');
  expect(found.searched).toEqual(['/usr/bin', '/opt/bin']);
});

it('passes over what may not be executed, and remembers it', () => {
  expect(find('a', { '/usr/bin/a': 'not-executable', '/opt/bin/a': 'executable' })).toMatchObject({
    file: '/opt/bin/a',
    refused: '/usr/bin/a',
  });
  expect(find('a', { '/usr/bin/a': 'directory' })).toMatchObject({ file: undefined, refused: '/usr/bin/a' });
});

it('takes a path from the working directory and does not search', () => {
  expect(find('./a', { '/folder/a': 'executable' })).toMatchObject({ file: '/folder/a', searched: [] });
  expect(find('sub/a', { '/folder/sub/a': 'executable' }).file).toBe('/folder/sub/a');
  expect(find('/abs/a', { '/abs/a': 'executable' }).file).toBe('/abs/a');
});

it('takes an empty entry of the PATH as the working directory, and a missing PATH as the usual places', () => {
  expect(find('a', { '/folder/a': 'executable' }, { env: { PATH: '/x:' } }).file).toBe('/folder/a');
  expect(find('a', { '/bin/a': 'executable' }, { env: {} }).file).toBe('/bin/a');
});

it('on Windows tries the extensions of PATHEXT in each directory and never the bare name', () => {
  const files: Record<string, Standing> = {
    'C:\\nodejs\\npx': 'executable',
    'C:\\nodejs\\npx.cmd': 'executable',
  };
  const found = find('npx', files, windows);
  expect(found.file).toBe('C:\\nodejs\\npx.cmd');
  expect(found.looked).toEqual([
    'C:\\work\\npx.exe',
    'C:\\work\\npx.cmd',
    'C:\\nodejs\\npx.exe',
    'C:\\nodejs\\npx.cmd',
  ]);
});

it('on Windows takes a name with an extension as it is, strips quotes of PATH entries, and knows drives', () => {
  expect(find('a.EXE', { 'C:\\Program Files\\x\\a.EXE': 'executable' }, windows).file).toBe(
    'C:\\Program Files\\x\\a.EXE',
  );
  expect(find('D:\\z\\a', { 'D:\\z\\a.cmd': 'executable' }, windows)).toMatchObject({
    file: 'D:\\z\\a.cmd',
    searched: [],
  });
  expect(find('.\\a', { 'C:\\work\\a.exe': 'executable' }, windows).file).toBe('C:\\work\\a.exe');
  expect(find('a.b', { 'D:\\y\\a.b.exe': 'executable' }, windows).file).toBe('D:\\y\\a.b.exe');
  expect(find('none', {}, windows)).toMatchObject({ file: undefined, refused: undefined });
});

import { expect, it } from 'vitest';
import { endTreeOnWindows, invokeOnWindows } from './command-windows.ts';

const batch = (...args: string[]) => invokeOnWindows('C:\\n\\npx.CMD', args, 'C:\\W\\cmd.exe');

it('a program is started as it is', () => {
  expect(invokeOnWindows('C:\\n\\node.exe', ['a b'], undefined)).toEqual({
    file: 'C:\\n\\node.exe',
    args: ['a b'],
    verbatim: false,
  });
});

it('a batch file is started by the command interpreter', () => {
  expect(batch('-y')).toEqual({
    file: 'C:\\W\\cmd.exe',
    args: ['/e:on', '/v:off', '/d', '/s', '/c', '""C:\\n\\npx.CMD" "-y""'],
    verbatim: true,
  });
  expect(invokeOnWindows('a.bat', [], undefined).file).toBe('cmd.exe');
});

it.each([
  ['a b', '"a b"'],
  ['', '""'],
  ['a&calc|x>y<z^(1)', '"a&calc|x>y<z^(1)"'],
  ['say "hi"', '"say ""hi"""'],
  ['C:\\dir\\', '"C:\\dir\\\\"'],
  ['a\\"b', '"a\\\\""b"'],
  ['"&calc&"', '"""&calc&"""'],
  ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
  ['!x!', '"!x!"'],
])('the argument %j of a batch file becomes %s', (argument, quoted) => {
  expect(batch(argument).args.at(-1)).toBe(`""C:\\n\\npx.CMD" ${quoted}"`);
});

it.each(['a\nb', 'a\rb'])('an argument with a line break is refused: %j', argument => {
  expect(() => batch(argument)).toThrow(/line break/);
});

it('a tree is asked to end, then made to', () => {
  expect(endTreeOnWindows(12, false, 'C:\\Windows')).toMatchObject({
    file: 'C:\\Windows\\System32\\taskkill.exe',
    args: ['/PID', '12', '/T'],
  });
  expect(endTreeOnWindows(12, true, undefined)).toMatchObject({
    file: 'taskkill.exe',
    args: ['/PID', '12', '/T', '/F'],
  });
});

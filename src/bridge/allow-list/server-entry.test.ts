import { describe, expect, it } from 'vitest';
import { readEntry } from './server-entry.ts';

const surroundings = {
  environment: { TOKEN: 't0k', EMPTY: '', PORT: '80' },
  folder: '/folder',
  home: '/home/me',
};
/** A variable as a configuration writes it. */
const v = (inside: string): string => `$\{${inside}}`;
const read = (raw: unknown) => readEntry(raw, surroundings);

describe('the entry of a server', () => {
  it.each([
    ['a command', { command: 'npx', args: ['-y', 'x'] }, { command: 'npx', args: ['-y', 'x'], env: {} }],
    [
      'its environment, with values of other kinds',
      { command: 'a', env: { A: 1, B: true, C: null } },
      { command: 'a', args: [], env: { A: '1', B: 'true' } },
    ],
    [
      'a folder',
      { type: 'stdio', command: 'a', cwd: `${v('workspaceFolder')}/x` },
      { command: 'a', args: [], env: {}, cwd: '/folder/x' },
    ],
    [
      'a command in an object of its own',
      { command: { path: 'a', args: ['b'], env: { C: 'd' } } },
      { command: 'a', args: ['b'], env: { C: 'd' } },
    ],
    [
      'what editors add',
      { command: 'a', disabled: false, autoApprove: [], timeout: 60 },
      { command: 'a', args: [], env: {} },
    ],
  ])('reads %s', (_about, raw, wanted) => {
    expect(read(raw)).toEqual({ transport: 'stdio', ...wanted });
  });

  it.each([
    ['url', { url: 'https://a.example/mcp' }],
    ['type http', { type: 'http', url: 'https://a.example/mcp' }],
    ['type sse', { type: 'sse', url: 'https://a.example/mcp' }],
    ['type streamableHttp', { type: 'streamableHttp', url: 'https://a.example/mcp' }],
    ['transport', { transport: 'streamable-http', url: 'https://a.example/mcp' }],
    ['serverUrl', { serverUrl: 'https://a.example/mcp' }],
    ['httpUrl', { httpUrl: 'https://a.example/mcp' }],
    [
      'type http beside a command that is left over',
      { type: 'http', command: 'x', url: 'https://a.example/mcp' },
    ],
  ])('reads a URL by %s', (_about, raw) => {
    expect(read(raw)).toEqual({ transport: 'http', url: 'https://a.example/mcp', headers: {} });
  });

  it('fills in variables wherever texts stand', () => {
    const raw = {
      url: `http://localhost:${v('PORT')}/${v('env:TOKEN')}`,
      headers: { Authorization: `Bearer ${v('TOKEN')}` },
    };
    expect(read(raw)).toEqual({
      transport: 'http',
      url: 'http://localhost:80/t0k',
      headers: { Authorization: 'Bearer t0k' },
    });
    const command = {
      command: `${v('userHome')}/bin/x`,
      args: [`${v('NONE:-a:-b')}`, `${v('EMPTY:-c')}`, `${v('EMPTY')}`, `${v('/')}$HOME`],
    };
    expect(read(command)).toMatchObject({
      command: '/home/me/bin/x',
      args: ['a:-b', 'c', '', `${v('/')}$HOME`],
    });
  });

  it.each([
    ['a string', 'must be an object, is a string'],
    [[], 'must be an object, is an array'],
    [{}, 'has neither a "command" nor a "url"'],
    [{ command: '' }, 'command is empty'],
    [{ command: 'a', url: 'http://b' }, 'has both a "command" and a "url"; say which by "type"'],
    [{ type: 'carrier-pigeon', url: 'http://b' }, 'type must be "stdio" or "http", is "carrier-pigeon"'],
    [{ type: 'http' }, 'has no "url"'],
    [{ type: 'stdio', url: 'http://b' }, 'has neither a "command" nor a "url"'],
    [{ url: 'ftp://b' }, 'url must begin with http:// or https:// and be a whole URL'],
    [{ url: 'b.example/mcp' }, 'url must begin with http:// or https:// and be a whole URL'],
    [{ command: 'a', args: 'b c' }, 'args must be an array, is a string'],
    [{ command: 'a', args: [['b']] }, 'args[0] must be a string, is an array'],
    [{ command: 'a', env: ['B'] }, 'env must be an object, is an array'],
    [{ command: 'a', env: { K: {} } }, 'env.K must be a string, is an object'],
    [
      { command: 'a', env: { KEY: `${v('NONE')}` } },
      `env.KEY names the variable NONE, which is not set; set it, or write ${v('NONE:-value')}`,
    ],
    [
      { url: 'http://b', headers: { X: `a ${v('input:key')}` } },
      `headers.X asks an editor for ${v('input:key')}, which is not kept in the file; write ${v('NAME')} and set that variable`,
    ],
  ])('refuses %j', (raw, message) => {
    expect(() => read(raw)).toThrow(message);
  });
});

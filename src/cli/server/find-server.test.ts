import { describe, expect, it } from 'vitest';
import { TenonError } from '../../basics/failure.ts';
import { UsageError } from '../command.ts';
import { configPlaces } from './config-places.ts';
import { findServer, type Search, tellServers } from './find-server.ts';

const folder = '/folder';
const searchIn = (files: Readonly<Record<string, unknown>>): Search => ({
  places: configPlaces({ platform: 'linux', folder, home: '/home/me', environment: {} }).filter(
    ({ file }) => file in files,
  ),
  surroundings: { environment: {}, folder, home: '/home/me' },
  read: file => {
    const content = files[file];
    if (content instanceof Error) throw content;
    return typeof content === 'object' ? JSON.stringify(content) : (content as string | undefined);
  },
});

describe('finding a server by its name', () => {
  const files = {
    '/folder/.mcp.json': { mcpServers: { files: { command: 'first' } } },
    '/folder/.vscode/mcp.json':
      '{ "servers": { "files": { "command": "second" }, "code": { "url": "http://c" }, }, } // end',
    '/home/me/.claude.json': {
      mcpServers: { all: { command: 'all' } },
      projects: {
        [folder]: { mcpServers: { here: { command: 'here' } } },
        '/other': { mcpServers: { there: { command: 'there' } } },
      },
    },
    '/home/me/.config/zed/settings.json': {
      context_servers: { zed: { command: { path: 'zed', args: [] } } },
    },
    '/home/me/.config/Claude/claude_desktop_config.json': { mcpServers: { desk: { command: 'desk' } } },
    '/home/me/.codeium/windsurf/mcp_config.json': { mcpServers: { surf: { serverUrl: 'https://s' } } },
  };

  it.each([
    ['files', { command: 'first' }],
    ['code', { url: 'http://c' }],
    ['all', { command: 'all' }],
    ['here', { command: 'here' }],
    ['zed', { command: 'zed' }],
    ['desk', { command: 'desk' }],
    ['surf', { url: 'https://s' }],
  ])('finds %s in the first file that has it', (name, wanted) => {
    expect(findServer(name, searchIn(files), () => {}).entry).toMatchObject(wanted);
  });

  it('says which names there are, whose they are, and which was meant', () => {
    const find = (name: string) => () => findServer(name, searchIn(files), () => {});
    expect(find('file')).toThrow(UsageError);
    expect(find('file')).toThrow(
      /^there is no server "file"; did you mean "files"\?\nknown: files \(this folder\), files \(VS Code\), code/,
    );
    expect(find('there')).toThrow('there is no server "there"');
    expect(find('toString')).toThrow('there is no server "toString"');
    expect(tellServers(searchIn(files))).toMatch(
      /^Known by name: files \(this folder\).*desk \(Claude Desktop\)/,
    );
    expect(() => findServer('x', searchIn({}), () => {})).toThrow(/no configuration file names a server/);
  });

  it('reads past a file that cannot be read, and says so', () => {
    const broken = {
      ...files,
      '/folder/.mcp.json': '{\n  "mcpServers": {\n    "x": [}',
      '/folder/mcp.json': new Error('EACCES: no'),
    };
    const warned: string[] = [];
    expect(findServer('desk', searchIn(broken), text => warned.push(text)).entry).toMatchObject({
      command: 'desk',
    });
    expect(warned).toEqual([
      '/folder/.mcp.json cannot be read: line 3: expected a value, found "}".',
      '/folder/mcp.json cannot be read: EACCES: no.',
    ]);
    // The likely reason first.
    expect(() => findServer('nix', searchIn(broken), () => {})).toThrow(
      /^\/folder\/\.mcp\.json cannot be read: line 3: expected a value.*\n.*EACCES: no\.\nthere is no server "nix"/,
    );
  });

  it('says which name was meant where no server is named but nearly', () => {
    const search = searchIn({ '/folder/.mcp.json': { mcpServer: { yard: { command: 'x' } } } });
    expect(() => findServer('yard', search, () => {})).toThrow(
      '/folder/.mcp.json names no servers: it has "mcpServer"; did you mean "mcpServers"?',
    );
    const both = searchIn({ '/folder/.mcp.json': { mcpServer: 1, servers: { yard: { command: 'x' } } } });
    expect(findServer('yard', both, () => {}).entry).toMatchObject({ command: 'x' });
  });

  it('fails for the one file that was named when that cannot be read', () => {
    const search = { ...searchIn({}), places: [{ file: '/a.json', of: 'a.json' }], read: () => '[]' };
    expect(() => findServer('x', search, () => {})).toThrow(TenonError);
    expect(() => findServer('x', search, () => {})).toThrow(
      '/a.json cannot be read: it holds no JSON object',
    );
    const servers = { ...search, read: () => '{"mcpServers": []}' };
    expect(() => findServer('x', servers, () => {})).toThrow('"mcpServers" must be an object');
  });

  it('names server, file and field of an entry that cannot be used', () => {
    const search = searchIn({
      '/folder/.mcp.json': { mcpServers: { a: { command: 'x', env: { KEY: `$\{SECRET}` } } } },
    });
    expect(() => findServer('a', search, () => {})).toThrow(
      'server "a" in /folder/.mcp.json: env.KEY names the variable SECRET, which is not set',
    );
  });
});

describe('the places of configuration', () => {
  it.each([
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/home/me', '/xdg/Claude/claude_desktop_config.json'],
    ['linux', {}, '/home/me', '/home/me/.config/Code/User/mcp.json'],
    ['linux', {}, '/home/me', '/home/me/.config/zed/settings.json'],
    ['darwin', {}, '/Users/me', '/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
    ['darwin', {}, '/Users/me', '/Users/me/Library/Application Support/Code/User/mcp.json'],
    ['darwin', {}, '/Users/me', '/Users/me/.config/zed/settings.json'],
    ['win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\me', 'D:\\Roaming\\Claude\\claude_desktop_config.json'],
    ['win32', {}, 'C:\\Users\\me', 'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json'],
    ['win32', {}, 'C:\\Users\\me', 'C:\\Users\\me\\.cursor\\mcp.json'],
    ['win32', {}, 'C:\\Users\\me', 'C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json'],
  ] as const)('%s %j %s has %s', (platform, environment, home, file) => {
    const places = configPlaces({ platform, folder, home, environment });
    expect(places.map(place => place.file)).toContain(file);
    expect(new Set(places.map(place => place.file)).size).toBe(places.length);
  });

  it('begin with this folder', () => {
    const [first] = configPlaces({ platform: 'linux', folder, home: '/home/me', environment: {} });
    expect(first).toEqual({ of: 'this folder', file: '/folder/.mcp.json' });
  });
});

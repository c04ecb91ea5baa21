import { expect, it } from 'vitest';
import { showCommandLine } from './command-line.ts';

const show = (...words: string[]) => showCommandLine({ command: words[0] ?? '', args: words.slice(1) });

it.each<[string[], string]>([
  [['node', 'server.js', '--port', '80'], 'node server.js --port 80'],
  [['my server', 'a "b"', ''], '"my server" "a \\"b\\"" ""'],
  [['s', '--api-key', 'abc', 'x'], 's --api-key *** x'],
  [['s', '--api-key', '--verbose'], 's --api-key --verbose'],
  [['s', '--accessToken', 'abc'], 's --accessToken ***'],
  [['s', '--token=abc', '--password=p w'], 's --token=*** --password=***'],
  [
    ['docker', 'run', '-e', 'GITHUB_TOKEN=abc', '-e', 'MODE=fast'],
    'docker run -e GITHUB_TOKEN=*** -e MODE=fast',
  ],
  [['s', '--header', 'Authorization: Bearer abc'], 's --header "Authorization: ***"'],
  [['s', '--header', 'X-Trace: Bearer abc'], 's --header "X-Trace: Bearer ***"'],
  [['s', 'postgres://me:pw@host/db'], 's postgres://***@host/db'],
  [['s', 'https://host/mcp?api_key=abc&x=1'], 's https://host/mcp?api_key=***&x=1'],
  [['s', 'sk-abcdefghijkl', 'ghp_abcdefghijklmnop1234'], 's *** ***'],
  [
    ['s', '--author', 'me', '--tokenizer', 'bpe', '--keyboard', 'us'],
    's --author me --tokenizer bpe --keyboard us',
  ],
])('shows %j as %s', (words, shown) => {
  expect(show(...words)).toBe(shown);
});

it('tells two long command lines apart by what was cut, and shows the same one the same', () => {
  const one = show('s', 'x'.repeat(300), 'a');
  expect(one).toMatch(/^s x+… #[0-9a-f]{8}$/);
  expect(one.length).toBeLessThan(220);
  expect(show('s', 'x'.repeat(300), 'b')).not.toBe(one);
  expect(show('s', 'x'.repeat(300), 'a')).toBe(one);
});

it('tells the same command in two directories apart', () => {
  expect(showCommandLine({ command: 's', args: [], cwd: '/a' })).toBe('s (in /a)');
});

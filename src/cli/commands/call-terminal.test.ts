import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../../../test/fixtures/asking-server.ts';
import { listedServer, useCommand } from '../../../test/fixtures/command.ts';
import { hasTmux, ScreenUnderTest } from '../../../test/fixtures/screen.ts';
import { remaining } from '../../../test/fixtures/stdio/servers.ts';
import { startTold } from '../../../test/fixtures/told.ts';

const tenon = useCommand();
let kitchen: AskingServer;
let screen: ScreenUnderTest | undefined;
beforeEach(async () => {
  kitchen = await startAskingServer();
});
afterEach(async () => {
  screen?.close();
  await kitchen.close();
});

function open(args: readonly string[], size?: { columns: number }): ScreenUnderTest {
  screen = new ScreenUnderTest(tenon.shellLine(['call', kitchen.url, ...args]), size);
  return screen;
}

describe.skipIf(!hasTmux)('tenon call in a terminal (skipped without tmux)', () => {
  it('asks for what is missing until it fits, and sends it', async () => {
    const terminal = open(['order', 'count=2']);
    await terminal.shows(/dish:$/m);
    terminal.type('x');
    await terminal.shows(/"dish" must .*\n(.*\n)*dish:$/m);
    terminal.type('soup');
    await terminal.shows(/1\) small\n {2}2\) large\nsize \[1-2\]:$/m);
    terminal.type('2');
    await terminal.shows(/^exit: 0/m);
    expect(kitchen.orders).toEqual([{ dish: 'soup', size: 'large', count: 2 }]);
  });

  it('says what is still missing when the person ends the input', async () => {
    const terminal = open(['order']);
    await terminal.shows(/dish:$/m);
    terminal.press('C-d');
    const text = await terminal.shows(/^exit: 2/m);
    expect(text).toMatch(/the arguments do not fit order/);
    expect(kitchen.orders).toEqual([]);
  });

  it('answers a form of the server', async () => {
    const terminal = open(['book']);
    const asked = await terminal.shows(/name:$/m);
    expect(asked).toContain('The server 127.0.0.1 asks: Which [31mtable?');
    terminal.type('Ann');
    await terminal.shows(/seats \(Enter: 2\):$/m);
    terminal.type('');
    await terminal.shows(/where \[1-2\]:$/m);
    terminal.type('outdoors');
    await terminal.shows(/window \[1-2\]:$/m);
    terminal.type('y');
    await terminal.shows(/Send it\?/);
    terminal.type('');
    const text = await terminal.shows(/^exit: 0/m);
    const answer = /\{"action".*\}\}/.exec(text.replace(/\n/g, ''))?.[0] ?? '';
    expect(JSON.parse(answer)).toEqual({
      action: 'accept',
      content: { name: 'Ann', seats: 2, where: 'out', window: true },
    });
  });

  it('shows a page that the server wants opened, and waits', async () => {
    const terminal = open(['visit']);
    await terminal.shows(/^ {2}https:\/\/shop\.example\/in\?x=1$/m);
    terminal.type('');
    expect(await terminal.shows(/^exit: 0/m)).toContain('{"action":"accept"}');
  });

  it('shows progress on one line, and takes it away', async () => {
    const terminal = open(['wait']);
    expect(await terminal.shows(/wait: 25%/)).toMatch(/^(\d+ s: )?wait: 25% a \[2Jquarter$/);
    terminal.press('C-c');
    expect(await terminal.shows(/^exit: 130/m)).toBe('exit: 130');
  });

  it('cuts what passes to the width of a narrow terminal', async () => {
    const terminal = open(['wait'], { columns: 20 });
    expect(await terminal.shows(/wait: 25%/)).toMatch(/^(\d+ s: )?wait: 25% a \[2Jq?u?a?r?$/);
    terminal.press('C-c');
    await terminal.shows(/^exit: 130/m);
  });

  it.each([
    ['an argument', ['order'], /dish:$/m],
    ['a form', ['book'], /name:$/m],
    ['a page', ['visit'], /press Enter/],
  ])('ends at Ctrl-C while it asks for %s', async (_about, args, pattern) => {
    const terminal = open(args);
    await terminal.shows(pattern);
    terminal.press('C-c');
    await terminal.shows(/^exit: 130/m);
    expect(kitchen.orders).toEqual([]);
  });

  it('leaves no server behind at Ctrl-C while it asks', async () => {
    const told = await startTold();
    const needy = { name: 'needy', inputSchema: { type: 'object', required: ['a'] } };
    const file = tenon.put('tools.json', { tools: [needy], silent: 'notifications/initialized' });
    screen = new ScreenUnderTest(tenon.shellLine(['call', 'needy', '--', ...listedServer, file, told.url]));
    const server = await told.process;
    expect(server).toBeDefined();
    await screen.shows(/^a:$/m);
    screen.press('C-c');
    await screen.shows(/^exit: 130/m);
    expect(await remaining([server])).toEqual([]);
    told.close();
  });

  it('prints nothing of a result that steers the terminal', async () => {
    const text = await open(['draw']).shows(/^exit: 0/m);
    expect(text).toContain('here [31mit is\n[image/png, 3 bytes: saved as draw.png]');
  });

  it('asks nothing when its input is no terminal', async () => {
    screen = new ScreenUnderTest(`${tenon.shellLine(['call', kitchen.url, 'order'])} </dev/null`);
    expect(await screen.shows(/^exit: 2/m)).toMatch(/the arguments do not fit order/);
  });
});

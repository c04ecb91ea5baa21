import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../../../test/fixtures/asking-server.ts';
import { listedServer, useCommand } from '../../../test/fixtures/command.ts';
import {
  type Answer,
  type ModelEndpoint,
  never,
  startModelEndpoint,
} from '../../../test/fixtures/model-endpoint.ts';
import { hasTmux, ScreenUnderTest } from '../../../test/fixtures/screen.ts';
import { remaining } from '../../../test/fixtures/stdio/servers.ts';
import { startTold } from '../../../test/fixtures/told.ts';

const tenon = useCommand();
let kitchen: AskingServer;
let model: ModelEndpoint;
let screen: ScreenUnderTest | undefined;
beforeEach(async () => {
  kitchen = await startAskingServer();
});
afterEach(async () => {
  screen?.close();
  await model.close();
  await kitchen.close();
});

async function open(args: readonly string[], ...answers: readonly Answer[]): Promise<ScreenUnderTest> {
  model = await startModelEndpoint(...answers);
  screen = new ScreenUnderTest(tenon.shellLine(args, model.environment), { columns: 100, lines: 40 });
  return screen;
}

const soup: Answer = { tool: 'order', arguments: { dish: 'so\u202eup', size: 'small' } };
const question = /\[y\]es, \[n\]o, \[a\]lways this tool:$/m;

describe.skipIf(!hasTmux)('tenon run in a terminal (skipped without tmux)', () => {
  it('asks before a tool runs, shows the arguments with nothing hidden, and takes Enter for no answer', async () => {
    const terminal = await open(['run', 'x', '-s', kitchen.url], soup, 'done');
    const asked = await terminal.shows(question);
    expect(asked).toMatch(/Run 127\.0\.0\.1\/order\?\n {2}\{"dish":"so\\u\{202e\}up","size":"small"\}/);
    terminal.type('');
    await terminal.shows(/(tool:\n.*){1}tool:$/m);
    expect(kitchen.orders).toEqual([]);
    terminal.type('y');
    const text = await terminal.shows(/^exit: 0/m);
    expect(text).toMatch(/^done$/m);
    expect(kitchen.orders).toHaveLength(1);
  });

  it('runs nothing after a no or the end of the input', async () => {
    const terminal = await open(['run', 'x', '-s', kitchen.url], soup, soup, 'as you like');
    await terminal.shows(question);
    terminal.type('n');
    await terminal.shows(/was not run.*\n(.*\n)*.*this tool:$/m);
    terminal.press('C-d');
    await terminal.shows(/^exit: 0/m);
    expect(kitchen.orders).toEqual([]);
  });

  it('takes nothing for a yes that was typed before it asked', async () => {
    let ask = (): void => {};
    const after = new Promise<void>(resolve => {
      ask = resolve;
    });
    const terminal = await open(['run', 'x', '-s', kitchen.url], { ...soup, after }, 'as you like');
    await model.asked(1);
    terminal.type('y');
    await terminal.shows(/^y$/m);
    ask();
    await terminal.shows(question);
    terminal.type('n');
    await terminal.shows(/^exit: 0/m);
    expect(kitchen.orders).toEqual([]);
  });

  it('shows arguments that are long in full only when asked to, and cuts lines to a narrow terminal', async () => {
    const long: Answer = { tool: 'order', arguments: { dish: `${'x'.repeat(2000)}end`, size: 'small' } };
    model = await startModelEndpoint(long, 'as you like');
    const line = tenon.shellLine(['run', 'x', '-s', kitchen.url], model.environment);
    screen = new ScreenUnderTest(line, { columns: 40, lines: 80 });
    const cut = await screen.shows(/all:$/m);
    expect(cut).toMatch(/^call order \{"dish":"x+…?\nRun 127/m);
    expect(cut).toMatch(/… \d+ more char/);
    expect(cut).not.toContain('end');
    screen.type('s');
    await screen.shows(/x\n?e\n?n\n?d\n?"(\n|.)*\nall:$/m);
    screen.type('n');
    await screen.shows(/^exit: 0/m);
  });

  it('asks no more about a tool that is always allowed', async () => {
    const terminal = await open(['run', 'x', '-s', kitchen.url], soup, soup, 'done');
    await terminal.shows(question);
    terminal.type('a');
    const text = await terminal.shows(/^exit: 0/m);
    expect(text.match(/Run 127/g)).toHaveLength(1);
    expect(kitchen.orders).toHaveLength(2);
  });

  it('answers a question of a server in the middle of a run', async () => {
    const terminal = await open(
      ['run', 'x', '-s', kitchen.url, '-y'],
      { tool: 'visit', arguments: {} },
      'done',
    );
    await terminal.shows(/press Enter/);
    terminal.type('');
    expect(await terminal.shows(/^exit: 0/m)).toContain('done visit: {"action":"accept"}');
  });

  it('ends at Ctrl-C while it asks for approval', async () => {
    const terminal = await open(['run', 'x', '-s', kitchen.url], soup, 'done');
    await terminal.shows(question);
    terminal.press('C-c');
    await terminal.shows(/^exit: 130/m);
    expect(kitchen.orders).toEqual([]);
  });

  it('ends at Ctrl-C while a tool runs', async () => {
    const terminal = await open(['run', 'x', '-s', kitchen.url, '-y'], { tool: 'wait', arguments: {} });
    await terminal.shows(/wait: 25% a \[2Jquarter/);
    terminal.press('C-c');
    await kitchen.givenUp;
    await terminal.shows(/^exit: 130/m);
  });

  it('prints nothing of a model that steers the terminal', async () => {
    const text = await (await open(['run', 'x'], 'a\u001b[2Jb')).shows(/^exit: 0/m);
    expect(text).toMatch(/^a\[2Jb$/m);
  });
});

describe.skipIf(!hasTmux)('tenon chat in a terminal (skipped without tmux)', () => {
  it('answers prompt by prompt, keeps pasted lines together, and leaves at /exit', async () => {
    const terminal = await open(['chat'], 'one', 'two');
    await terminal.shows(/^>$/m);
    terminal.type('first');
    await terminal.shows(/^one\n(.*\n)*>$/m);
    terminal.paste('second\nthird\n');
    await terminal.shows(/^two\n(.*\n)*>$/m);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: 'second\nthird' });
    terminal.type('/exit');
    await terminal.shows(/^exit: 0/m);
  });

  it('gives a turn up at Ctrl-C, goes on without it, and leaves at the second one', async () => {
    const terminal = await open(['chat'], never, 'two', never);
    await terminal.shows(/^>$/m);
    terminal.type('first');
    await model.asked(1);
    terminal.press('C-c');
    await terminal.shows(/Given up; .*\n(.*\n)*>$/m);
    terminal.type('second');
    await terminal.shows(/^two\n(.*\n)*>$/m);
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(['second']);
    terminal.type('third');
    await model.asked(3);
    terminal.press('C-c');
    await terminal.shows(/Given up; (.*\n)*.*Given up; .*\n(.*\n)*>$/m);
    terminal.press('C-c');
    await terminal.shows(/^exit: 130/m);
  });

  it('leaves no server behind when it is left by Ctrl-C', async () => {
    const told = await startTold();
    const file = tenon.put('tools.json', { tools: [], silent: 'notifications/initialized' });
    const terminal = await open(['chat', '--', ...listedServer, file, told.url]);
    await terminal.shows(/^>$/m);
    terminal.type('/tools');
    const server = await told.process;
    expect(server).toBeDefined();
    await terminal.shows(/There are no tools/);
    terminal.press('C-c');
    await terminal.shows(/Ctrl-C again leaves\.\n>$/m);
    terminal.press('C-c');
    await terminal.shows(/^exit: 130/m);
    expect(await remaining([server])).toEqual([]);
    told.close();
  });

  it('says at the prompt that a second Ctrl-C leaves, and leaves at the end of the input', async () => {
    const terminal = await open(['chat']);
    await terminal.shows(/^>$/m);
    terminal.press('C-c');
    await terminal.shows(/Ctrl-C again leaves\.\n>$/m);
    terminal.press('C-d');
    await terminal.shows(/^exit: 0/m);
  });
});

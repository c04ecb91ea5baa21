import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../../../test/fixtures/asking-server.ts';
import { useCommand } from '../../../test/fixtures/command.ts';

const tenon = useCommand();
let kitchen: AskingServer;
beforeAll(async () => {
  kitchen = await startAskingServer();
});
afterAll(async () => {
  await kitchen.close();
});

describe('lists of what a server has', () => {
  it('gives each tool a line: name, what it takes, first sentence', async () => {
    const { code, out, err } = await tenon.run('tools', kitchen.url);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^kitchen 1\.2\.3: 7 tools\n/);
    expect(out).toContain('\n  book()  Books a table.\n');
    expect(out).toMatch(/^ {2}order\(dish: string, size: "small"\|"large", .*\) {2}Orders a dish\.$/m);
    expect(out.trimEnd().split('\n')).toHaveLength(8);
  });

  it('gives each resource a line', async () => {
    const { out } = await tenon.run('resources', kitchen.url);
    expect(out).toBe(
      'kitchen 1.2.3: 2 resources\n  menu://today/list.txt  text/plain  The menu.\n  menu://photo  image/png  photo\n',
    );
  });

  it('gives each prompt a line', async () => {
    const { out } = await tenon.run('prompts', kitchen.url);
    expect(out).toBe('kitchen 1.2.3: 1 prompt\n  greet(guest, style?)  Greets a guest.\n');
  });

  it.each(['tools', 'resources', 'prompts'])('prints the list of %s as data', async name => {
    const { code, out } = await tenon.run(name, kitchen.url, '--json');
    expect(code).toBe(0);
    const data = JSON.parse(out) as Record<string, unknown[]>;
    expect(data).toMatchObject({ server: { name: 'kitchen', version: '1.2.3' }, notes: [] });
    expect(data[name]?.length).toBeGreaterThan(0);
  });

  it.each(['tools', 'resources', 'prompts'])('of %s without a server is wrong use', async name => {
    const { code, err } = await tenon.run(name);
    expect(code).toBe(2);
    expect(err).toMatch(/^tenon: which server\?/);
  });

  it('does not let a server steer the terminal, and tells what it left out', async () => {
    const file = tenon.put('tools.json', [
      {
        name: 'a\u001b[2J',
        description: '\u001b]0;x\u0007b\u202ec',
        inputSchema: { properties: { '\u001b[1m': {} } },
      },
      { name: 'a\u001b[2J' },
    ]);
    const { code, out, err } = await tenon.run('tools', '--file', file);
    expect(code).toBe(0);
    expect(err).toMatch(/a second tool named/);
    for (const text of [out, err]) expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });
});

describe('tenon read', () => {
  it('prints text as it is', async () => {
    const { code, out, err } = await tenon.run('read', kitchen.url, 'menu://today/list.txt');
    expect([code, out, err]).toEqual([0, 'soup\nbread\n', '']);
  });

  it('saves bytes under the last part of the address', async () => {
    const { out } = await tenon.run('read', kitchen.url, 'menu://photo');
    expect(out).toBe('[image/png, 2 bytes: saved as photo.png]\n');
    expect([...readFileSync(join(tenon.folder, 'photo.png'))]).toEqual([1, 2]);
  });

  it('prints the answer as data', async () => {
    const { out } = await tenon.run('read', kitchen.url, 'menu://photo', '--json');
    expect(JSON.parse(out)).toMatchObject({ contents: [{ uri: 'menu://photo', blob: 'AQI=' }] });
    expect(readdirSync(tenon.folder)).toEqual([]);
  });

  it.each([
    [['menu://none'], 1, /menu:\/\/none/],
    [[], 2, /which resource\?/],
    [['menu://photo', 'more'], 2, /two words|2 words/],
  ])('%j ends with %i', async (args, code, reason) => {
    const ran = await tenon.run('read', kitchen.url, ...args);
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(reason);
  });
});

describe('tenon prompt', () => {
  it('prints the messages with the arguments filled in', async () => {
    const { code, out, err } = await tenon.run('prompt', kitchen.url, 'greet', 'guest=007', 'style=loud');
    expect([code, out, err]).toEqual([0, 'user:\nWelcome 007, loud\n', '']);
    const asData = await tenon.run('prompt', kitchen.url, 'greet', 'guest=Ann', '--json');
    expect(JSON.parse(asData.out)).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Welcome Ann' } }],
    });
  });

  it.each([
    [['greet'], /the prompt greet needs guest=…/],
    [['greet', 'gest=x'], /takes no "gest"; did you mean "guest"\?/],
    [['gret'], /has no prompt "gret"; did you mean "greet"\?/],
    [[], /which prompt\?/],
  ])('refuses %j', async (args, reason) => {
    const { code, err } = await tenon.run('prompt', kitchen.url, ...args);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
  });
});

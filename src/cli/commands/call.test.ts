import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../../../test/fixtures/asking-server.ts';
import { listedServer, oddServer, outcomeOf, useCommand } from '../../../test/fixtures/command.ts';
import { remaining } from '../../../test/fixtures/stdio/servers.ts';
import { startTold } from '../../../test/fixtures/told.ts';

const tenon = useCommand();
let kitchen: AskingServer;
beforeEach(async () => {
  kitchen = await startAskingServer();
});
afterEach(async () => {
  await kitchen.close();
});

const call = (...args: string[]) => tenon.run('call', kitchen.url, ...args);

describe('tenon call', () => {
  it('calls a tool with arguments as its schema wants them, and prints what it says', async () => {
    const args = ['dish=7 up', 'size=large', 'count=2', 'hot=true', 'tags=a', 'tags=b', 'extras={"x":[1]}'];
    const { code, out, err } = await call('order', ...args);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^ordered \{.*\}\n$/);
    expect(kitchen.orders).toEqual([
      { dish: '7 up', size: 'large', count: 2, hot: true, tags: ['a', 'b'], extras: { x: [1] } },
    ]);
  });

  it('takes arguments as JSON, from a file and from standard input, and name=value over them', async () => {
    const json = '{"dish": "soup", "size": "small", /* a note */ "count": 1}';
    tenon.put('order.json', json);
    expect((await call('order', '--args', json, 'count=3')).code).toBe(0);
    expect((await call('order', '--args-file', 'order.json')).code).toBe(0);
    for (const args of [['-'], ['--args-file', '-'], ['-', 'size=large']]) {
      const child = tenon.start(['call', kitchen.url, 'order', ...args]);
      child.stdin?.write(json);
      expect((await outcomeOf(child)).code).toBe(0);
    }
    const soup = { dish: 'soup', size: 'small', count: 1 };
    expect(kitchen.orders).toEqual([{ ...soup, count: 3 }, soup, soup, soup, { ...soup, size: 'large' }]);
  });

  it.each([
    [['order', 'size=large'], /"dish" is missing|"dish" must be|"dish" is required/],
    [['order', 'dish=x2', 'size=medium'], /"size" must be .*, got "medium"/],
    [['order', 'dish=x2', 'size=small', 'count=many'], /"count" must be a whole number, got "many"/],
    [['order', 'dish=x2', 'size=small', 'cuont=1'], /"cuont" is not allowed here, did you mean "count"\?/],
    [['order', 'dish=x2', 'size=small', 'extras={x}'], /"extras" must be an object, got "\{x\}"/],
    [['ordre'], /has no tool "ordre"; did you mean "order"\? See tenon tools/],
    [['order', 'dish'], /"dish" is no argument; write name=value/],
    [['order', 'dish=a', 'dish=b'], /"dish" is given twice/],
    [['order', '--args', '[1]'], /--args must hold a JSON object/],
    [['order', '--args', '{"dish": }'], /--args, line 1: expected a value/],
    [['order', '--args', '{}', '-'], /one of --args, --args-file and standard input/],
    [['order', '--timeout', 'soon'], /--timeout must be seconds/],
    [[], /which tool\? tenon tools lists them\. See tenon call --help/],
  ])('refuses %j before anything is sent: code 2 and why', async (args, reason) => {
    const { code, out, err } = await call(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(reason);
    expect(kitchen.orders).toEqual([]);
  });

  it('says what the tool takes when the arguments do not fit', async () => {
    const { err } = await call('order');
    expect(err).toContain('It takes (dish: string, size: "small"|"large", count?: integer');
  });

  it('ends with 1 when the tool fails, and prints nothing as its result', async () => {
    expect(await call('fail')).toEqual({ code: 1, out: '', err: 'fail failed:\n  out of stock\n' });
    const { code, out } = await call('fail', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ isError: true });
  });

  it('ends with 1 when the server refuses the call, in words that steer no terminal', async () => {
    const { code, out, err } = await call('refuse');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('no [2J way');
    expect(err).not.toContain('\u001b');
  });

  it('saves bytes under a name of its own, never over a file, and says where', async () => {
    tenon.put('draw.png', 'mine');
    const { code, out } = await call('draw');
    expect(code).toBe(0);
    expect(out).toBe('here \u001b[31mit is\n[image/png, 3 bytes: saved as draw-2.png]\n');
    expect([...readFileSync(join(tenon.folder, 'draw-2.png'))]).toEqual([1, 2, 3]);
    expect(readFileSync(join(tenon.folder, 'draw.png'), 'utf8')).toBe('mine');
    await call('draw', '--out', 'new/folder');
    expect(readdirSync(join(tenon.folder, 'new', 'folder'))).toEqual(['draw.png']);
  });

  it('prints the whole result as data and saves nothing then', async () => {
    const { out } = await call('draw', '--json');
    expect(JSON.parse(out)).toMatchObject({
      content: [{ type: 'text' }, { type: 'image', data: 'AQID', mimeType: 'image/png' }],
      isError: false,
    });
    expect(readdirSync(tenon.folder)).toEqual([]);
  });

  it.each(['book', 'visit'])(
    'gives no answer to what %s asks where there is no terminal, and says so',
    async tool => {
      const { code, out, err } = await call(tool);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toEqual({ action: 'cancel' });
      expect(err).toMatch(
        /^127\.0\.0\.1 asks: ".*"; there is no terminal to answer at, so it gets no answer\n$/,
      );
      expect(err).not.toContain('\u001b');
    },
  );

  it('records all messages', async () => {
    await call('fail', '--record', 'call.jsonl');
    const { code, out } = await tenon.run('trace', 'call.jsonl', '--json');
    expect(code).toBe(0);
    expect(out).toContain('out of stock');
    expect((await call('fail', '--record', 'none/call.jsonl')).err).toMatch(/^--record: ENOENT/);
  });

  it('calls a tool of a command line and of a configured server', async () => {
    const [command, ...args] = oddServer;
    tenon.put('.mcp.json', { mcpServers: { odd: { command, args: [...args, 'ordinary'] } } });
    const listed = await tenon.run('tools', 'odd', '--json');
    const [first] = (JSON.parse(listed.out) as { tools: { name: string }[] }).tools;
    const name = first?.name ?? '';
    const here = await tenon.run('call', 'odd', name, '--json', '--args', '{"text":"x"}');
    const there = await tenon.run(
      'call',
      name,
      '--json',
      '--args',
      '{"text":"x"}',
      '--',
      ...oddServer,
      'ordinary',
    );
    expect([here.code, there.code]).toEqual([0, 0]);
    expect(there.out).toBe(here.out);
  });

  it('sends arguments unchecked when the schema cannot be used, and says so', async () => {
    const odd = {
      name: 'odd',
      inputSchema: { type: 'object', properties: { a: { $ref: 'https://x.example/' } } },
    };
    const file = tenon.put('tools.json', { tools: [odd] });
    const { code, err } = await tenon.run('call', 'odd', 'a=1', '--', ...listedServer, file);
    expect(code).toBe(1);
    expect(err).toMatch(/sent unchecked, since the schema of odd cannot be used/);
    expect(err).toMatch(/Method not found/);
  });

  it('gives the call up at Ctrl-C and leaves no process behind', async () => {
    const told = await startTold();
    const tools = [{ name: 'slow', inputSchema: { type: 'object' } }];
    const file = tenon.put('tools.json', { tools, silent: 'tools/call' });
    const child = tenon.start(['call', 'slow', '--', ...listedServer, file, told.url]);
    const ended = outcomeOf(child);
    const server = await told.process;
    expect(server).toBeDefined();
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(await remaining([server])).toEqual([]);
    told.close();
  });

  it('tells the server when a call is given up', async () => {
    const child = tenon.start(['call', kitchen.url, 'wait']);
    const ended = outcomeOf(child);
    await kitchen.waiting;
    child.kill('SIGINT');
    await kitchen.givenUp;
    expect((await ended).code).toBe(130);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../../../test/fixtures/asking-server.ts';
import { listedServer, outcomeOf, type Ran, useCommand } from '../../../test/fixtures/command.ts';
import {
  type Answer,
  type ModelEndpoint,
  never,
  startModelEndpoint,
} from '../../../test/fixtures/model-endpoint.ts';
import { remaining } from '../../../test/fixtures/stdio/servers.ts';
import { startTold } from '../../../test/fixtures/told.ts';

const tenon = useCommand();
let kitchen: AskingServer;
let model: ModelEndpoint | undefined;
beforeEach(async () => {
  kitchen = await startAskingServer();
});
afterEach(async () => {
  await model?.close();
  model = undefined;
  await kitchen.close();
});

/** Runs the command with a model that gives these answers, in order. */
async function run(args: readonly string[], ...answers: readonly Answer[]): Promise<Ran> {
  await model?.close();
  model = await startModelEndpoint(...answers);
  return outcomeOf(tenon.start(args, model.environment));
}

const soup: Answer = { tool: 'order', arguments: { dish: 'soup', size: 'small' } };
/** The names of the tools in the first request. */
const offered = (): string[] => {
  const { tools = [] } = (model?.requests[0] ?? {}) as { tools?: { function: { name: string } }[] };
  return tools.map(each => each.function.name);
};
const lastMessage = () => model?.requests.at(-1)?.messages.at(-1);

describe('tenon run', () => {
  it('prints what the model says, and what was used beside it', async () => {
    const { code, out, err } = await run(['run', 'say', 'hello'], 'hello there');
    expect([code, out]).toEqual([0, 'hello there\n']);
    expect(err).toBe('1 turn, 0 tool calls, 1,000 tokens in, 10 out\n');
    expect(lastMessage()).toMatchObject({ role: 'user', content: 'say hello' });
  });

  it('says which names of tools mean none, by the options they came with', async () => {
    const args = ['run', 'x', '-s', kitchen.url, '--allow', 'order,nosuch', '--tools', '*,nothere'];
    const { code, err } = await run(args, 'hello');
    expect(code).toBe(0);
    expect(err).toContain('--allow names "nosuch", which means no tool\n');
    expect(err).toContain('--tools names "nothere", which means no tool\n');
    expect(err).not.toContain('order');
  });

  it('names its own option where the turns are used up', async () => {
    const { code, err } = await run(['run', 'x', '-s', kitchen.url, '-y', '--max-turns', '1'], soup);
    expect(code).toBe(1);
    expect(err).toContain('within 1 turn; raise --max-turns, or');
  });

  it('lets the model use the tools of servers that are allowed, and shows each call in a line', async () => {
    const { code, out, err } = await run(
      ['run', 'order soup', '--server', kitchen.url, '--allow', 'or*'],
      soup,
      'ordered',
    );
    expect([code, out]).toEqual([0, 'ordered\n']);
    expect(kitchen.orders).toEqual([{ dish: 'soup', size: 'small' }]);
    expect(err.split('\n')).toEqual([
      'call order {"dish":"soup","size":"small"}',
      'done order: ordered {"dish":"soup","size":"small"}',
      '2 turns, 1 tool call, 2,000 tokens in, 20 out',
      '',
    ]);
  });

  it('runs no tool that is not allowed where nobody can approve it, and says so to both', async () => {
    const { code, err } = await run(['run', 'order soup', '-s', kitchen.url, '--allow', 'book'], soup, 'no');
    expect(code).toBe(0);
    expect(kitchen.orders).toEqual([]);
    expect(err).toMatch(
      /^127\.0\.0\.1\/order was not run: there is no terminal .* give --allow "order", or --yes/m,
    );
    expect(JSON.stringify(lastMessage())).toContain('nobody is there to approve it');
    await run(['run', 'order soup', '-s', kitchen.url, '--yes'], soup, 'yes');
    expect(kitchen.orders).toHaveLength(1);
  });

  it('offers only the tools that are chosen', async () => {
    await run(['run', 'x', '-s', kitchen.url, '--tools', '127.0.0.1/o*,wait'], 'done');
    expect(offered()).toEqual(['order', 'wait']);
  });

  it('loses only the tools of a server that does not start', async () => {
    tenon.put('.mcp.json', {
      mcpServers: { dead: { command: 'no-such-program' }, unset: { command: '$'.concat('{NO_SUCH}') } },
    });
    const servers = ['-s', 'dead', '-s', 'unset', '-s', kitchen.url];
    const { code, err } = await run(['run', 'order', ...servers, '-y'], soup, 'done');
    expect(code).toBe(0);
    expect(kitchen.orders).toHaveLength(1);
    expect(err).toMatch(/^the server dead cannot be used: .*no-such-program/m);
    expect(err).toMatch(/^the server unset cannot be used: .*NO_SUCH/m);
  });

  it('takes a command line beside named servers, and names that collide', async () => {
    const file = tenon.put('tools.json', { tools: [{ name: 'order', inputSchema: { type: 'object' } }] });
    const call: Answer = { tool: '127_0_0_1__order', arguments: { dish: 'soup', size: 'small' } };
    const args = ['run', 'x', '-s', kitchen.url, '-y', '--', ...listedServer, file];
    const { code } = await run(args, call, 'done');
    expect(code).toBe(0);
    expect(offered().filter(name => name.includes('order'))).toHaveLength(2);
  });

  it('keeps a conversation in a file, and goes on with it', async () => {
    await run(['run', 'first', '--transcript', 'talk.json'], 'one');
    expect(readFileSync(join(tenon.folder, 'talk.json'), 'utf8')).toContain('"first"');
    await run(['run', 'second', '--continue', 'talk.json'], 'two');
    expect(model?.requests[0]?.messages.map(({ content }) => content)).toEqual(['first', 'one', 'second']);
    expect(readFileSync(join(tenon.folder, 'talk.json'), 'utf8')).toContain('"two"');
  });

  it('prints the result as data', async () => {
    const { code, out } = await run(['run', 'x', '--json'], 'hello');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      output: 'hello',
      usage: { inputTokens: 1000, outputTokens: 10, requests: 1 },
      counts: { turns: 1 },
    });
  });

  it('takes the prompt from standard input', async () => {
    model = await startModelEndpoint('ok');
    const child = tenon.start(['run', '-'], model.environment);
    child.stdin?.write('from elsewhere');
    expect((await outcomeOf(child)).code).toBe(0);
    expect(lastMessage()).toMatchObject({ content: 'from elsewhere' });
  });

  it('records events and messages, without keys', async () => {
    await run(['run', 'x', '-s', kitchen.url, '-y', '--record', 'run.jsonl'], soup, 'the key sk-of-mine');
    const recorded = readFileSync(join(tenon.folder, 'run.jsonl'), 'utf8');
    expect(recorded).toContain('"tools/call"');
    expect(recorded).toContain('"model-end"');
    expect(recorded).not.toContain('sk-of-mine');
    const { out } = await tenon.run('trace', 'run.jsonl');
    expect(out).toMatch(/^tenon run, .*\nmodel calls 2, /);
  });

  it('keeps what was said when the run fails', async () => {
    const args = ['run', 'x', '-s', kitchen.url, '-y', '--max-turns', '1', '--transcript', 'talk.json'];
    const { code, out, err } = await run(args, soup);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^1 turn, 1 tool call, /m);
    expect(readFileSync(join(tenon.folder, 'talk.json'), 'utf8')).toContain('ordered');
  });

  it('ends at Ctrl-C while the model thinks, and keeps what was said', async () => {
    model = await startModelEndpoint(never);
    const child = tenon.start(['run', 'x', '--transcript', 'talk.json'], model.environment);
    const ended = outcomeOf(child);
    await model.asked(1);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(existsSync(join(tenon.folder, 'talk.json'))).toBe(true);
  });

  it('ends at Ctrl-C while a tool runs, and leaves no server behind', async () => {
    const told = await startTold();
    const tools = [{ name: 'slow', inputSchema: { type: 'object' } }];
    const file = tenon.put('tools.json', { tools, silent: 'tools/call' });
    model = await startModelEndpoint({ tool: 'slow', arguments: {} });
    const args = ['run', 'x', '-y', '--', ...listedServer, file, told.url];
    const child = tenon.start(args, model.environment);
    const ended = outcomeOf(child);
    const server = await told.process;
    expect(server).toBeDefined();
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(await remaining([server])).toEqual([]);
    told.close();
  });

  it.each([
    [['run'], 2, /what is the model to do\?/],
    [['run', 'x', '-s', 'none'], 2, /there is no server "none"/],
    [['run', 'x', '--max-turns', '0'], 2, /--max-turns must be a whole number from 1/],
    [['run', 'x', '--continue', 'none.json'], 2, /--continue: none\.json cannot be read/],
    [['chat', 'x'], 2, /takes no words/],
  ])('%j ends with %i', async (args, code, reason) => {
    const ran = await run(args);
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(reason);
    expect(model?.requests).toEqual([]);
  });

  it('says what is missing when no model is configured', async () => {
    const { code, err } = await outcomeOf(tenon.start(['run', 'x']));
    expect(code).toBe(1);
    expect(err).toMatch(/no model is configured: TENON_BASE_URL and TENON_MODEL are not set/);
  });
});

describe('tenon chat without a terminal', () => {
  it('answers line by line, with all that was said before', async () => {
    model = await startModelEndpoint('one', 'two');
    const child = tenon.start(['chat', '--transcript', 'talk.json'], model.environment);
    child.stdin?.write('first\n\nsecond\n');
    const { code, out } = await outcomeOf(child);
    expect([code, out]).toEqual([0, 'one\ntwo\n']);
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(['first', 'one', 'second']);
    expect(readFileSync(join(tenon.folder, 'talk.json'), 'utf8')).toContain('"two"');
  });

  it('prints each result as a line of data', async () => {
    model = await startModelEndpoint('one', 'two');
    const child = tenon.start(['chat', '--json'], model.environment);
    child.stdin?.write('first\nsecond\n');
    const { out } = await outcomeOf(child);
    const results = out.trimEnd().split('\n');
    expect(results.map(line => (JSON.parse(line) as { output: string }).output)).toEqual(['one', 'two']);
  });

  it('goes on after a prompt that failed, and ends with 1', async () => {
    model = await startModelEndpoint(soup, 'two');
    const child = tenon.start(['chat', '--max-turns', '1', '-s', kitchen.url, '-y'], model.environment);
    child.stdin?.write('first\nsecond\n');
    const { code, out } = await outcomeOf(child);
    expect([code, out]).toEqual([1, 'two\n']);
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(['second']);
  });

  it('lists the tools and leaves when told to', async () => {
    model = await startModelEndpoint();
    const child = tenon.start(['chat', '-s', kitchen.url], model.environment);
    child.stdin?.write('/tools\n/what\n/exit\nnever sent\n');
    const { code, out, err } = await outcomeOf(child);
    expect(code).toBe(0);
    expect(out).toContain('  order  Orders a dish.\n');
    expect(err).toContain('There are /tools and /exit.');
    expect(model.requests).toEqual([]);
  });
});

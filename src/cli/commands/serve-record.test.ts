import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../../../test/fixtures/asking-server.ts';
import { useCommand } from '../../../test/fixtures/command.ts';
import {
  type Answer,
  type ModelEndpoint,
  startModelEndpoint,
} from '../../../test/fixtures/model-endpoint.ts';
import { type Client, connect, http } from '../../entries/client.ts';

const tenon = useCommand();
let kitchen: AskingServer;
let model: ModelEndpoint;
let serving: ChildProcess;
let client: Client;
beforeAll(async () => {
  kitchen = await startAskingServer();
});
afterEach(async () => {
  await client.close();
  await end();
  await model.close();
});
afterAll(() => kitchen.close());

/** Serves this over HTTP with `--record`, and is its client. */
async function serve(config: object | undefined, ...answers: readonly Answer[]): Promise<void> {
  model = await startModelEndpoint(...answers);
  if (config !== undefined) tenon.put('tenon.config.json', config);
  serving = tenon.start(['serve', '--http', '--record', 'talk.jsonl'], model.environment);
  if (!serving.stderr) throw new Error('no stderr');
  const lines = createInterface({ input: serving.stderr });
  const [line] = (await once(lines, 'line')) as [string];
  client = await connect(http(/http:\S+\/mcp/.exec(line)?.[0] ?? ''));
}

async function end(): Promise<void> {
  if (serving.exitCode !== null || serving.signalCode !== null) return;
  const closed = once(serving, 'close');
  serving.kill('SIGTERM');
  await closed;
}

/** What was recorded, and what `tenon trace` makes of it. */
async function recorded(): Promise<{
  readonly text: string;
  readonly trace: string;
  readonly steps: readonly Step[];
}> {
  await end();
  const { out: trace } = await tenon.run('trace', 'talk.jsonl');
  const { out: json } = await tenon.run('trace', 'talk.jsonl', '--json');
  const text = readFileSync(join(tenon.folder, 'talk.jsonl'), 'utf8');
  return { text, trace, steps: (JSON.parse(json) as { steps: readonly Step[] }).steps };
}

interface Step {
  readonly kind: string;
  readonly title: string;
  readonly depth: number;
  readonly failed: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/** But what it takes to reach a server. */
const namesOf = (steps: readonly Step[]): readonly string[] =>
  steps
    .filter(({ kind, title }) => kind !== 'notice' && (kind !== 'request' || title.includes('tools/call')))
    .map(({ kind, title, depth }) => `${'  '.repeat(depth)}${kind} ${title}`);

const order: Answer = { tool: 'order', arguments: { dish: 'soup', size: 'small' } };
const config = () => ({
  models: { default: { model: 'm', baseUrl: `$\{TENON_BASE_URL}`, apiKey: `$\{TENON_API_KEY}` } },
  mcpServers: { kitchen: { url: kitchen.url } },
  tools: { kitchen: { allow: ['order', 'fail'], readOnly: false } },
  budgets: { call: { calls: 2 }, process: { calls: 50 } },
  patterns: { react_loop: true },
  agents: { waiter: { description: 'Waits.' } },
});

describe('tenon serve --record', () => {
  it('writes what happens in each call, and the trace shows it call by call', async () => {
    await serve(config(), order, 'Your soup.', order, 'Again.');
    await client.call('react_loop', { prompt: 'soup' });
    await client.call('waiter', { prompt: 'the same' });
    const { steps, trace } = await recorded();
    const inside = ['  model openai:m', '  tool order', '    request → tools/call order', '  model openai:m'];
    const [first, server, ...others] = namesOf(steps);
    expect([first, server]).toEqual(['call react_loop #1', '  server kitchen']);
    expect(others.filter(name => name !== '  server kitchen')).toEqual([
      ...inside,
      'call waiter #2',
      ...inside,
      'note SIGTERM came',
    ]);
    expect(steps[0]?.details).toMatchObject({
      budget: { call: { calls: 2 }, process: { limits: { calls: 50 }, spent: { calls: 0 } } },
      data: { answer: 'Your soup.', usage: { calls: 2, inputTokens: 2000, outputTokens: 20 } },
    });
    expect(trace).toMatch(/call react_loop #1 {2}prompt=soup → Your soup\./);
  });

  it('tells why a call failed, in more words than its caller reads', async () => {
    await serve(config(), order, order);
    const { isError, content } = await client.call('react_loop', { prompt: 'soup, soup, soup' });
    expect([isError, JSON.stringify(content)]).toEqual([
      true,
      expect.not.stringContaining('Raise the budget'),
    ]);
    const { trace, text } = await recorded();
    expect(trace).toMatch(
      /: failed after .*\n.*\n.*\n? *at .*, call react_loop #1: reactLoop: the budget does not allow/,
    );
    expect(text).toContain("Raise the budget's calls");
  });

  it('holds no key, wherever it stands', async () => {
    await serve(
      config(),
      { tool: 'order', arguments: { dish: 'sk-of-mine', size: 'small' } },
      'It is sk-of-mine.',
    );
    await client.call('waiter', { prompt: 'use sk-of-mine and Bearer abcdef0123456789abcdef' });
    const { text, trace } = await recorded();
    for (const each of [text, trace]) {
      expect(each).not.toContain('sk-of-mine');
      expect(each).not.toContain('abcdef0123456789');
    }
    expect(text).toContain('It is ***.');
  });

  it('writes the calls of the usual patterns too', async () => {
    await serve(undefined, '42', '42', '41');
    await client.call('consensus', { prompt: 'six times seven?' });
    const { steps } = await recorded();
    expect(namesOf(steps)).toEqual([
      'call consensus #1',
      ...Array.from({ length: 3 }, () => '  model openai:m'),
      'note SIGTERM came',
    ]);
  });
});

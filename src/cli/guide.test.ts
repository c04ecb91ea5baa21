import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, type CommandUnderTest, outcomeOf } from '../../test/fixtures/command.ts';
import { type ModelEndpoint, startModelEndpoint } from '../../test/fixtures/model-endpoint.ts';
import { type HttpService, serveHttp } from '../entries/node.ts';
import { Server } from '../server/server.ts';
import { tool } from '../tools/tool.ts';

const guide = readFileSync(new URL('../../docs/guides/use-the-command.md', import.meta.url), 'utf8');
const lines = (/^```sh\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? '').trimEnd().split('\n');

/** As in the first hour. */
const asked: unknown[] = [];
const inStock = tool({
  name: 'in_stock',
  description: 'How many boards of a wood are in stock.',
  input: { type: 'object', properties: { wood: { type: 'string' } }, required: ['wood'] },
  run: ({ wood }) => {
    asked.push(wood);
    return `12 boards of ${wood}`;
  },
});

let tenon: CommandUnderTest;
let yard: HttpService;
let model: ModelEndpoint;
beforeAll(async () => {
  const server = new Server({ name: 'yard', version: '1.0.0', tools: [inStock] });
  [tenon, yard] = await Promise.all([buildCommand(), serveHttp(server, { port: 0 })]);
  model = await startModelEndpoint({ tool: 'in_stock', arguments: { wood: 'oak' } }, 'Yes.');
  tenon.put('.mcp.json', { mcpServers: { yard: { url: yard.url } } });
});
afterAll(async () => {
  await Promise.all([yard.close(), model.close()]);
  tenon.remove();
});

/** The words of a line, as a shell without variables reads them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, bare]) => one ?? two ?? bare ?? '');

describe('the guide to the command', () => {
  it.each(lines)('%s', async line => {
    const [program, ...args] = wordsOf(line);
    expect(program).toBe('tenon');
    const { code, out } = await outcomeOf(tenon.start(args, model.environment));
    expect(code).toBe(0);
    expect(out).not.toBe('');
  });

  it('asks for what it says', () => {
    expect(asked).toEqual(['oak', 'oak', 'ash', 'oak']);
  });
});

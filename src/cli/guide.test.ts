import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../../test/fixtures/asking-server.ts';
import { buildCommand, type CommandUnderTest, outcomeOf } from '../../test/fixtures/command.ts';
import { type ModelEndpoint, startModelEndpoint } from '../../test/fixtures/model-endpoint.ts';

const guide = readFileSync(new URL('../../docs/guides/use-the-command.md', import.meta.url), 'utf8');
const lines = (/^```sh\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? '').trimEnd().split('\n');

let tenon: CommandUnderTest;
let kitchen: AskingServer;
let model: ModelEndpoint;
beforeAll(async () => {
  [tenon, kitchen] = await Promise.all([buildCommand(), startAskingServer()]);
  model = await startModelEndpoint({ tool: 'order', arguments: { dish: 'soup', size: 'small' } }, 'Done.');
  tenon.put('.mcp.json', { mcpServers: { kitchen: { url: kitchen.url } } });
});
afterAll(async () => {
  await Promise.all([kitchen.close(), model.close()]);
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

  it('orders what it says', () => {
    expect(kitchen.orders).toEqual([
      { dish: 'soup', size: 'small' },
      { dish: 'soup', size: 'large', count: 2 },
      { dish: 'soup', size: 'small' },
    ]);
  });
});

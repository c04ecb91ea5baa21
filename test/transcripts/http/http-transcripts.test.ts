import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { http } from '../../../src/channels/http-client.ts';
import { type Client, connect } from '../../../src/client/client.ts';
import { handler } from '../../../src/entries/server.ts';
import { EraMemory } from '../../../src/eras/index.ts';
import { type HttpScenario, httpScenarios } from './http-scenarios.ts';
import { makeServer } from './http-server.ts';
import {
  Covers,
  endpoint,
  type Handle,
  type HttpExchange,
  parseHttp,
  printHttp,
  recordingFetch,
  replayHttp,
} from './http-transcript.ts';

// `npx vitest run test/transcripts -u` writes the lines anew; the prose stays, and so do requests that no client makes.
const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}.txt`, import.meta.url));
const info = { name: 'guest', version: '1.0.0' };

/** Serves what a scenario needs while `use` runs. */
async function serving(
  scenario: HttpScenario,
  use: (handle: Handle) => Promise<readonly HttpExchange[]>,
): Promise<readonly HttpExchange[]> {
  const handle = handler((scenario.serve ?? makeServer)(), scenario.serving?.());
  const said = await use(scenario.around?.(handle) ?? handle);
  await handle.close();
  return said;
}

/** What our client says in a scenario. */
async function record(scenario: HttpScenario, handle: Handle): Promise<readonly HttpExchange[]> {
  const { fetch, exchanges } = recordingFetch(handle);
  const channel = http(endpoint, { fetch });
  const open = (): Promise<Client> =>
    connect(channel, { info, eraMemory: new EraMemory(), ...scenario.options });
  const client = await open();
  await scenario.run?.(client, open);
  await client.close();
  return exchanges();
}

const spoken = Object.entries(httpScenarios).filter(([, { run }]) => run !== undefined);

describe('the transcripts over HTTP', () => {
  it('are those of the scenarios', () => {
    const names = readdirSync(fileURLToPath(new URL('.', import.meta.url))).filter(name =>
      /\.txt$/.test(name),
    );
    expect(names.map(name => name.replace('.txt', '')).sort()).toEqual(Object.keys(httpScenarios).sort());
  });

  it.each(spoken)('%s: our client and our server say this', async (name, scenario) => {
    const { prose } = parseHttp(readFileSync(fileOf(name), 'utf8'));
    expect(prose).not.toBe('');
    const said = await serving(scenario, handle => record(scenario, handle));
    await expect(printHttp(prose, said)).toMatchFileSnapshot(fileOf(name));
  });

  it.each(Object.entries(httpScenarios))(
    '%s: the server answers it reply for reply',
    async (name, scenario) => {
      const text = readFileSync(fileOf(name), 'utf8');
      const { prose, requests } = parseHttp(text);
      expect(prose).not.toBe('');
      expect(requests).not.toHaveLength(0);
      const covers = new Covers();
      const said = await serving(scenario, handle => replayHttp(handle, requests, covers));
      const answered = printHttp(prose, said, covers);
      if (scenario.run) expect(answered).toBe(text);
      else await expect(answered).toMatchFileSnapshot(fileOf(name));
    },
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { http } from '../../../src/channels/http-client.ts';
import { webHandler } from '../../../src/channels/http-web.ts';
import { connect } from '../../../src/client/client.ts';
import { EraMemory } from '../../../src/eras/index.ts';
import { httpScenarios, makeServer } from './http-scenarios.ts';
import { Covers, endpoint, parseHttp, printHttp, recordingFetch, replayHttp } from './http-transcript.ts';

// `npx vitest run test/transcripts -u` writes the lines anew; the prose stays.
const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}.txt`, import.meta.url));
const info = { name: 'guest', version: '1.0.0' };

describe('the transcripts over HTTP', () => {
  it('are those of the scenarios', () => {
    const names = readdirSync(fileURLToPath(new URL('.', import.meta.url))).filter(name =>
      /\.txt$/.test(name),
    );
    expect(names.map(name => name.replace('.txt', '')).sort()).toEqual(Object.keys(httpScenarios).sort());
  });

  it.each(Object.entries(httpScenarios))('%s: our client and our server say this', async (name, scenario) => {
    const { prose } = parseHttp(readFileSync(fileOf(name), 'utf8'));
    expect(prose).not.toBe('');
    const handle = webHandler(makeServer(), scenario.serving());
    const { fetch, exchanges } = recordingFetch(handle);
    const channel = http(endpoint, { fetch });
    const client = await connect(channel, { info, eraMemory: new EraMemory(), ...scenario.options });
    await scenario.run(client);
    await client.close();
    await expect(printHttp(prose, await exchanges())).toMatchFileSnapshot(fileOf(name));
    await handle.close();
  });

  it.each(Object.entries(httpScenarios))(
    '%s: the server answers it reply for reply',
    async (name, scenario) => {
      const text = readFileSync(fileOf(name), 'utf8');
      const { prose, requests } = parseHttp(text);
      const handle = webHandler(makeServer(), scenario.serving());
      const covers = new Covers();
      const said = await replayHttp(handle, requests, covers);
      expect(printHttp(prose, said, covers)).toBe(text);
      await handle.close();
    },
  );
});

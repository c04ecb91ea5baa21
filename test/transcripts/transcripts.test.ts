import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/client/client.ts';
import { EraMemory } from '../../src/eras/index.ts';
import { Server } from '../../src/server/server.ts';
import { memory } from '../../src/testing/memory.ts';
import { scenarios } from './scenarios.ts';
import { parse, print, recording, replay } from './transcript.ts';

// `npx vitest run test/transcripts -u` writes the lines anew; the prose stays.
const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}.txt`, import.meta.url));
const info = { name: 'guest', version: '1.0.0' };

describe('the transcripts', () => {
  it('are those of the scenarios', () => {
    const files = readdirSync(fileURLToPath(new URL('.', import.meta.url))).filter(name =>
      /\.txt$/.test(name),
    );
    expect(files.map(name => name.replace('.txt', '')).sort()).toEqual(Object.keys(scenarios).sort());
  });

  const spoken = Object.entries(scenarios).flatMap(([name, { run, ...scenario }]) =>
    run ? [[name, { ...scenario, run }] as const] : [],
  );

  it.each(spoken)('%s: our client and our server say this', async (name, scenario) => {
    const { prose } = parse(readFileSync(fileOf(name), 'utf8'));
    expect(prose).not.toBe('');
    const server = scenario.serve();
    const { channel, lines } = recording(memory(server));
    const client = await connect(channel, { info, eraMemory: new EraMemory(), ...scenario.options });
    await scenario.run(client, server);
    // What closing says is not part of it.
    const said = [...lines];
    await client.close();
    await expect(print({ prose, lines: said })).toMatchFileSnapshot(fileOf(name));
  });

  it.each(Object.entries(scenarios))('%s: the server answers it line for line', async (name, scenario) => {
    const transcript = parse(readFileSync(fileOf(name), 'utf8'));
    const server = scenario.serve();
    const said = await replay(server, transcript, ({ message }) => {
      if (!(server instanceof Server)) return;
      const { method, params } = message as { method?: string; params?: { uri?: string } };
      if (method === 'notifications/tools/list_changed') server.update({ tools: [] });
      if (method === 'notifications/resources/updated') server.changed(params?.uri ?? '');
    });
    expect(print({ prose: transcript.prose, lines: said })).toBe(print(transcript));
  });
});

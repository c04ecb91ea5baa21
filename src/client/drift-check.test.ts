import { describe, expect, it } from 'vitest';
import { EraMemory } from '../eras/index.ts';
import type { AnyCatalogue } from '../protocol/tool-catalogue.ts';
import { Server } from '../server/server.ts';
import { tool } from '../tools/tool.ts';
import { catalogue, fingerprintOf } from './catalogue.ts';
import { type Client, connect } from './client.ts';

const take = (type: string) =>
  tool({
    name: 'take',
    description: '',
    input: { type: 'object', properties: { value: { type } } },
    run: () => 'taken',
  });
const other = tool({ name: 'other', description: '', run: () => 'x' });

async function fingerprints(server: Server): Promise<Record<string, string>> {
  await using client = await connect(server, { eraMemory: new EraMemory() });
  const tools = await client.tools().all();
  return Object.fromEntries(tools.map(listing => [listing.name, fingerprintOf(listing)]));
}

const drift = ({ diagnostics }: Client): string[] =>
  diagnostics.filter(({ kind }) => kind === 'tool-drift').map(({ message }) => message);

describe('a client with a catalogue', () => {
  const written = new Server({ name: 's', version: '1', tools: [take('string'), other] });

  it('says nothing while the tools are as they were, whatever else they say of themselves', async () => {
    const known = catalogue<AnyCatalogue>(await fingerprints(written));
    const same = new Server({
      name: 's',
      version: '2',
      tools: [{ ...take('string'), description: 'Takes more gladly.' }, other],
    });
    await using client = await connect(same, { catalogue: known });
    await client.tools().all();
    expect(drift(client)).toEqual([]);
  });

  it('tells once of each tool whose schema changed and of each that is gone, and refuses nothing', async () => {
    const known = catalogue<AnyCatalogue>(await fingerprints(written));
    const changed: Server = new Server({ name: 's', version: '2', tools: [take('number')] });
    await using client = await connect(changed, { catalogue: known });
    await client.tools().all();
    await client.tools().all();
    expect(drift(client)).toEqual([
      'tools/list: "take" has other schemas than the catalogue of this program; write it anew with tenon types',
      'tools/list: "other" is gone, and stands in the catalogue of this program; write it anew with tenon types',
    ]);
    expect((await client.call('take')).isError).toBe(false);
  });
});

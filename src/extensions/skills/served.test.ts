import { describe, expect, it } from 'vitest';
import { connect } from '../../client/client.ts';
import { Server } from '../../server/server.ts';
import { sampleFiles } from './fixtures/joined.ts';
import { skill } from './skill.ts';
import { skillsOf } from './skill-reader.ts';
import { skills, skillsId } from './skills.ts';

const server = new Server({ name: 's', version: '1', extensions: [skills([await skill(sampleFiles)])] });

describe.each([['2025-11-25'], ['2026-07-28']] as const)('skills in revision %s', protocol => {
  it('are declared, listed and read from a server that has no resources of its own', async () => {
    await using client = await connect(server, { protocol, extensions: [skills()] });
    expect(client.capabilities['extensions']).toEqual({ [skillsId]: { directoryRead: true } });
    expect(client.capabilities['resources']).toBeDefined();
    const reader = skillsOf(client);
    const [entry] = await reader.list();
    if (!entry) throw new Error('nothing is listed');
    expect((await reader.read(entry)).text).toBe(sampleFiles['SKILL.md']);
    expect((await reader.read(entry, 'pixel.bin')).bytes).toEqual(sampleFiles['pixel.bin']);
  });

  it('stand in the list of resources, and what is none of them is not found', async () => {
    await using client = await connect(server, { protocol });
    const { request } = client.access();
    expect((await request('resources/list', {}))['resources']).toEqual([
      expect.objectContaining({ uri: 'skill://pdf-processing/SKILL.md', name: 'pdf-processing' }),
    ]);
    await expect(request('resources/read', { uri: 'skill://pdf-processing/nope' })).rejects.toThrow('nope');
  });
});

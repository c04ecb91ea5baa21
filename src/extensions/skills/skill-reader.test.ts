import { describe, expect, it } from 'vitest';
import type { Params } from '../../rpc/message.ts';
import type { SkillEntry } from './entry.ts';
import { joined, sampleFiles } from './fixtures/joined.ts';
import { skill } from './skill.ts';
import type { SkillError } from './skill-error.ts';
import { skillsOf } from './skill-reader.ts';
import { skills } from './skills.ts';

const served = skills([await skill(sampleFiles)]);

function change(entry: object, difference: object): Params {
  return { skills: [{ ...entry, ...difference }] };
}

describe('a client that reads skills', () => {
  it('lists them without reading a file', async () => {
    const { client, asked } = joined(served);
    const [entry] = await skillsOf(client).list();
    expect(entry).toMatchObject({
      uri: 'skill://pdf-processing/SKILL.md',
      frontmatter: { name: 'pdf-processing' },
    });
    expect(asked).toEqual(['skills/list']);
  });

  it('follows pages, and stops at a cursor that comes again', async () => {
    const { client, asked } = joined(served, (_method, result) => ({ ...result, nextCursor: 'again' }));
    const extension = { ...served, methods: { 'skills/list': () => ({ value: { skills: [] } }) } };
    const round = joined(extension, (_method, result) => ({ ...result, nextCursor: 'again' }));
    const refused: string[] = [];
    const onRefused = ({ message }: SkillError): void => void refused.push(message);
    expect(await skillsOf(round.client, { onRefused }).list()).toEqual([]);
    expect(refused).toEqual([expect.stringContaining('never ends')]);
    expect(round.asked).toHaveLength(2);
    await expect(skillsOf(client).list()).rejects.toMatchObject({ code: -32602 });
    expect(asked).toHaveLength(2);
  });

  it.each([true, false])('stops after 10,000 skills, with more pages to come (%j) or without', async more => {
    let page = 0;
    const list = (): object => {
      page += 1;
      const value = Array.from({ length: more ? 3000 : 11_000 }, (_n, index) => ({
        uri: `skill://a${page}-${index}/SKILL.md`,
        frontmatter: { name: `a${page}-${index}`, description: 'd' },
        resources: 'dynamic',
      }));
      return { value: { skills: value, ...(more ? { nextCursor: String(page) } : {}) } };
    };
    const { client } = joined({ ...served, methods: { 'skills/list': list as never } });
    expect(await skillsOf(client).list()).toHaveLength(10_000);
    expect(page).toBe(more ? 4 : 1);
  });

  it('reads the SKILL.md, files by path and by URI, text and bytes, one request each', async () => {
    const { client, asked } = joined(served);
    const reader = skillsOf(client);
    const entry = await reader.get('skill://pdf-processing/SKILL.md');
    expect((await reader.read(entry)).text).toBe(sampleFiles['SKILL.md']);
    expect((await reader.read(entry, 'references/FORMS.md')).text).toBe('# Forms\n');
    expect((await reader.read(entry, 'skill://pdf-processing/pixel.bin')).bytes).toEqual(
      Uint8Array.of(0, 255, 1),
    );
    expect(asked).toEqual([
      'skills/get',
      'read skill://pdf-processing/SKILL.md',
      'read skill://pdf-processing/references/FORMS.md',
      'read skill://pdf-processing/pixel.bin',
    ]);
  });

  it.each([
    ['references/nope.md'],
    ['../other/SKILL.md'],
    ['skill://other/SKILL.md'],
    ['references/%2e%2e/%2e%2e/x'],
  ])('asks for no file that is not listed: %s', async file => {
    const { client, asked } = joined(served);
    const reader = skillsOf(client);
    const [entry] = (await reader.list()) as [SkillEntry];
    await expect(reader.read(entry, file)).rejects.toMatchObject({ fault: 'unlisted' });
    await expect(
      reader.read({ ...entry, resources: 'dynamic' }, file === 'references/nope.md' ? '..' : file),
    ).rejects.toMatchObject({ fault: 'unlisted' });
    expect(asked).toEqual(['skills/list']);
  });

  it('refuses a file of another size, of another digest, and a SKILL.md that says something else', async () => {
    const spoilt = async (difference: (entry: SkillEntry) => object): Promise<unknown> => {
      const { client } = joined(served, (method, result) => {
        const [entry] = (result['skills'] ?? []) as SkillEntry[];
        return method === 'skills/list' && entry ? change(entry, difference(entry)) : result;
      });
      const reader = skillsOf(client);
      const [entry] = (await reader.list()) as [SkillEntry];
      return reader.read(entry).catch((error: { fault: unknown }) => error.fault);
    };
    const files = (entry: SkillEntry, difference: object): object => ({
      resources: (entry.resources as readonly object[]).map(file => ({ ...file, ...difference })),
    });
    expect(await spoilt(entry => files(entry, { size: 5 }))).toBe('size');
    expect(await spoilt(entry => files(entry, { digest: `sha256:${'0'.repeat(64)}` }))).toBe('digest');
    const other = { name: 'pdf-processing', description: 'Something else.' };
    expect(await spoilt(() => ({ frontmatter: other }))).toBe('front-matter');
    expect(await spoilt(() => ({ frontmatter: { ...other, more: 1 }, resources: 'dynamic' }))).toBe(
      'front-matter',
    );
  });

  it.each<[sentence: string, difference: object]>([
    ['a folder of another name', { uri: 'skill://other/SKILL.md', resources: 'dynamic' }],
    ['no SKILL.md', { uri: 'skill://pdf-processing/README.md' }],
    ['no description', { frontmatter: { name: 'pdf-processing' } }],
    ['no files', { resources: undefined }],
    [
      'a file outside its folder',
      { resources: [{ uri: 'skill://other/x', digest: `sha256:${'0'.repeat(64)}`, size: 1 }] },
    ],
    [
      'a digest that is none',
      { resources: [{ uri: 'skill://pdf-processing/SKILL.md', digest: 'md5:1', size: 1 }] },
    ],
    [
      'a size that is none',
      {
        resources: [{ uri: 'skill://pdf-processing/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: -1 }],
      },
    ],
    [
      'more bytes than a skill may have',
      {
        resources: [
          { uri: 'skill://pdf-processing/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: 2 ** 40 },
        ],
      },
    ],
  ])('leaves a skill with %s out of the list, and says so', async (_sentence, difference) => {
    const refused: string[] = [];
    const { client } = joined(served, (_method, result) => {
      const [entry] = result['skills'] as SkillEntry[];
      return { skills: [...(change(entry as object, difference)['skills'] as object[]), entry, null] };
    });
    const listed = await skillsOf(client, { onRefused: error => refused.push(error.fault) }).list();
    expect(listed).toHaveLength(1);
    expect(refused).toHaveLength(2);
  });

  it('fails with a SkillError when the server sends no list, no contents, or another skill', async () => {
    const odd = joined(served, method => (method === 'skills/get' ? { skill: null } : { skills: 7 }));
    await expect(skillsOf(odd.client).list()).rejects.toMatchObject({ fault: 'malformed' });
    await expect(skillsOf(odd.client).get('skill://x/SKILL.md')).rejects.toThrow();
    const empty = joined(served, (method, result) =>
      method === 'resources/read' ? { contents: [] } : result,
    );
    const [entry] = (await skillsOf(empty.client).list()) as [SkillEntry];
    await expect(skillsOf(empty.client).read(entry)).rejects.toMatchObject({ fault: 'malformed' });
  });
});

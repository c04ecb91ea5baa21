import { beforeAll, describe, expect, it } from 'vitest';
import type { Params } from '../../rpc/message.ts';
import { digestOf } from './entry.ts';
import { joined, sampleFiles } from './fixtures/joined.ts';
import { type Skill, skill } from './skill.ts';
import { skills } from './skills.ts';

function named(name: string): Promise<Skill> {
  return skill({ 'SKILL.md': `---\nname: ${name}\ndescription: d\n---\n` });
}

async function ask(
  offered: readonly Skill[],
  method: string,
  params: Params = {},
  pageSize = 100,
): Promise<Params> {
  const { client } = joined(skills(offered, { pageSize }));
  return client.access().request(method, params);
}

describe('a server with skills', () => {
  let offered: readonly Skill[];
  beforeAll(async () => {
    offered = [await skill(sampleFiles), await named('other')];
  });

  it('lists each skill with its front matter and every file with size and digest', async () => {
    const { skills: listed } = await ask(offered, 'skills/list');
    expect(listed).toEqual([
      {
        uri: 'skill://pdf-processing/SKILL.md',
        frontmatter: { name: 'pdf-processing', description: 'Reads PDF files.' },
        resources: await Promise.all(
          ['SKILL.md', 'pixel.bin', 'references/FORMS.md', 'references/deep/more notes.txt'].map(
            async path => {
              const content = sampleFiles[path as keyof typeof sampleFiles];
              const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
              const uri = `skill://pdf-processing/${path.replace(' ', '%20')}`;
              return { uri, digest: await digestOf(bytes), size: bytes.length };
            },
          ),
        ),
      },
      expect.objectContaining({ uri: 'skill://other/SKILL.md' }),
    ]);
  });

  it('says how long the list may be kept, and that nothing of it is secret', async () => {
    expect(await ask(offered, 'skills/list')).toMatchObject({ ttlMs: 0, cacheScope: 'public' });
    const uri = 'skill://other/SKILL.md';
    expect(await ask(offered, 'skills/get', { uri })).toMatchObject({ ttlMs: 0, skill: { uri } });
  });

  it('lists in pages, each skill on one of them', async () => {
    const many = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(named));
    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const page: Params = await ask(many, 'skills/list', cursor === undefined ? {} : { cursor }, 2);
      seen.push(
        (page['skills'] as readonly { frontmatter: { name: string } }[]).map(each => each.frontmatter.name),
      );
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(seen).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it.each<[sentence: string, method: string, params: Params]>([
    ['a cursor it did not give out', 'skills/list', { cursor: 'nope' }],
    ['a cursor that is no text', 'skills/list', { cursor: 7 }],
    ['a skill it does not have', 'skills/get', { uri: 'skill://nope/SKILL.md' }],
    ['a skill without a name', 'skills/get', {}],
    [
      'a file where a folder should be',
      'resources/directory/read',
      { uri: 'skill://pdf-processing/SKILL.md' },
    ],
    ['a folder it does not have', 'resources/directory/read', { uri: 'skill://pdf-processing/nope' }],
  ])('refuses %s with -32602', async (_sentence, method, params) => {
    await expect(ask(offered, method, params)).rejects.toMatchObject({ code: -32602 });
  });

  it('reads a folder: its files, and the folders in it as such', async () => {
    expect(await ask(offered, 'resources/directory/read', { uri: 'skill://pdf-processing' })).toEqual({
      resources: [
        expect.objectContaining({ uri: 'skill://pdf-processing/SKILL.md', mimeType: 'text/markdown' }),
        expect.objectContaining({ uri: 'skill://pdf-processing/pixel.bin', size: 3 }),
        { uri: 'skill://pdf-processing/references', name: 'references', mimeType: 'inode/directory' },
      ],
    });
    const { resources } = await ask(offered, 'resources/directory/read', {
      uri: 'skill://pdf-processing/references',
    });
    expect(resources).toEqual([
      expect.objectContaining({ name: 'FORMS.md' }),
      { uri: 'skill://pdf-processing/references/deep', name: 'deep', mimeType: 'inode/directory' },
    ]);
  });

  it('gives text as text and bytes as base64, and the SKILL.md of each among the resources', async () => {
    const { resources } = skills(offered);
    expect(resources?.read('skill://pdf-processing/references/deep/more%20notes.txt')).toEqual([
      {
        uri: 'skill://pdf-processing/references/deep/more%20notes.txt',
        mimeType: 'text/plain',
        text: 'more\n',
      },
    ]);
    expect(resources?.read('skill://pdf-processing/pixel.bin')).toEqual([
      { uri: 'skill://pdf-processing/pixel.bin', mimeType: 'application/octet-stream', blob: 'AP8B' },
    ]);
    expect(resources?.read('skill://pdf-processing/nope')).toBeUndefined();
    expect(resources?.list()).toMatchObject([
      { uri: 'skill://pdf-processing/SKILL.md', name: 'pdf-processing', description: 'Reads PDF files.' },
      { uri: 'skill://other/SKILL.md', name: 'other' },
    ]);
  });

  it('refuses two skills of one name, and options it cannot use', async () => {
    const twice = [await named('a'), await named('a')];
    expect(() => skills(twice)).toThrow('the name "a" is given twice');
    expect(() => skills([named('a')] as unknown as Skill[])).toThrow('is not awaited');
    expect(() => skills([], { pageSize: 0 })).toThrow('pageSize');
    expect(() => skills([], { ttlMs: -1 })).toThrow('ttlMs');
  });
});

describe('a skill', () => {
  const main =
    (text: string): (() => Promise<Skill>) =>
    () =>
      skill({ 'SKILL.md': text });

  it.each<[sentence: string, make: () => Promise<Skill>, why: RegExp]>([
    ['has no SKILL.md', () => skill({ 'a.md': '' }), /no SKILL.md/],
    ['has no front matter', main('# Title'), /does not begin with a line "---"/],
    ['has front matter without an end', main('---\nname: a'), /no line "---" that ends it/],
    ['has front matter that is no mapping', main('---\n- a\n---\n'), /must be a mapping/],
    [
      'has front matter that cannot be read',
      main('---\na: b: c\n---\n'),
      /cannot be read: Nested mappings .* line 2, column 4$/,
    ],
    ['has no name', main('---\ndescription: d\n---\n'), /no usable name/],
    ['has a name with capitals', main('---\nname: Ab\ndescription: d\n---\n'), /no usable name/],
    ['has a name with two hyphens', main('---\nname: a--b\ndescription: d\n---\n'), /no usable name/],
    [
      'has a name of 65 characters',
      main(`---\nname: ${'a'.repeat(65)}\ndescription: d\n---\n`),
      /no usable name/,
    ],
    ['has no description', main('---\nname: a\n---\n'), /no description/],
    ['has a file outside its folder', () => skill({ ...sampleFiles, '../x': '' }), /no path of a file below/],
    [
      'has too many files',
      () =>
        skill({
          ...sampleFiles,
          ...Object.fromEntries(Array.from({ length: 512 }, (_n, i) => [`f${i}`, ''])),
        }),
      /516 files/,
    ],
    ['is too large', () => skill({ ...sampleFiles, big: new Uint8Array(16 * 1024 * 1024) }), /bytes in all/],
  ])('is refused when it %s', async (_sentence, make, why) => {
    await expect(make()).rejects.toThrow(why);
  });

  it('takes a SKILL.md with a byte order mark and line ends of Windows', async () => {
    const { frontMatter } = await main('\uFEFF---\r\nname: a\r\ndescription: d\r\n---\r\ntext')();
    expect(frontMatter).toEqual({ name: 'a', description: 'd' });
  });
});

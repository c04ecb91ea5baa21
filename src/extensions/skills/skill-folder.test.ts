import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { skillsFromFolder } from './skill-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-skills-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const main = (name: string): string => `---\nname: ${name}\ndescription: d\n---\n`;

it('reads every folder with a SKILL.md, all its files, and leaves links and hidden names out', async () => {
  put('b/SKILL.md', main('b'));
  put('a/SKILL.md', main('a'));
  put('a/references/x.md', 'x');
  put('a/.git/config', 'hidden');
  put('none/readme.md', 'no skill');
  put('loose.md', 'no skill');
  symlinkSync('/etc/hosts', join(folder, 'a', 'hosts'));
  const found = await skillsFromFolder(folder);
  expect(found.map(({ frontMatter }) => frontMatter.name)).toEqual(['a', 'b']);
  expect([...(found[0]?.files.keys() ?? [])]).toEqual(['SKILL.md', 'references/x.md']);
});

it('reads a folder that is a skill itself', async () => {
  put('a/SKILL.md', main('a'));
  expect(await skillsFromFolder(join(folder, 'a'))).toHaveLength(1);
});

it('names the folder whose skill breaks a rule', async () => {
  put('a/SKILL.md', main('other'));
  await expect(skillsFromFolder(folder)).rejects.toThrow(
    `${join(folder, 'a')}: the skill calls itself "other"`,
  );
  put('a/SKILL.md', '# no front matter');
  await expect(skillsFromFolder(folder)).rejects.toThrow(join(folder, 'a'));
  await expect(skillsFromFolder(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
});

it('stops at the limit of files', async () => {
  put('a/SKILL.md', main('a'));
  for (let file = 0; file < 512; file += 1) put(`a/files/${file}`, '');
  await expect(skillsFromFolder(folder)).rejects.toMatchObject({ fault: 'limit' });
});

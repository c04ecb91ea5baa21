/** Skills of a folder on disk, for Node: each folder below it that holds a SKILL.md, with all its files. */
import { type Dirent, promises as fs } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { mainFile, skillLimits } from './entry.ts';
import { type Skill, skill } from './skill.ts';
import { SkillError } from './skill-error.ts';

/**
 * Reads `folder` once: itself when it holds a SKILL.md, else every folder directly below it that does. Links and names
 * that begin with a dot are left out. Rejects with a `SkillError` that names the folder and the rule it breaks, or with
 * Node's own error when something cannot be read.
 */
export async function skillsFromFolder(folder: string): Promise<readonly Skill[]> {
  const within = await entriesOf(folder);
  const isSkill = within.some(entry => entry.isFile() && entry.name === mainFile);
  if (isSkill) return [await readSkill(folder)];
  const found: Skill[] = [];
  for (const entry of within) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if ((await entriesOf(path)).some(file => file.isFile() && file.name === mainFile)) {
      found.push(await readSkill(path));
    }
  }
  return found;
}

async function readSkill(folder: string): Promise<Skill> {
  const files: Record<string, Uint8Array> = {};
  await collect(folder, '', files, { files: 0, bytes: 0 });
  let made: Skill;
  try {
    made = await skill(files);
  } catch (cause) {
    if (!(cause instanceof SkillError)) throw cause;
    throw new SkillError(`${folder}: ${cause.message}`, { fault: cause.fault, cause });
  }
  const { name } = made.frontMatter;
  if (name === basename(resolve(folder))) return made;
  const message = `${folder}: the skill calls itself ${JSON.stringify(name)}; its folder must have that name`;
  throw new SkillError(message, { fault: 'front-matter' });
}

/** Stops at the limits of a skill before more is read than could be used. */
async function collect(
  folder: string,
  path: string,
  files: Record<string, Uint8Array>,
  so: { files: number; bytes: number },
): Promise<void> {
  for (const entry of await entriesOf(join(folder, path))) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) await collect(folder, below, files, so);
    if (!entry.isFile()) continue;
    so.files += 1;
    so.bytes += (await fs.stat(join(folder, below))).size;
    if (so.files > skillLimits.files || so.bytes > skillLimits.bytes) {
      const message = `${folder}: a skill may have ${skillLimits.files} files of ${skillLimits.bytes} bytes in all`;
      throw new SkillError(message, { fault: 'limit' });
    }
    // Bytes as they are: a Buffer would not compare as the array it is.
    files[below] = new Uint8Array(await fs.readFile(join(folder, below)));
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

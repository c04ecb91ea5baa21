/** A skill that a server offers: its files, held as they were when it was made. */
import { checkLimits, mainFile } from './entry.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { SkillError } from './skill-error.ts';

/** Text, or bytes as they are. */
export type SkillFiles = Readonly<Record<string, string | Uint8Array>>;

export interface Skill {
  readonly frontMatter: FrontMatter;
  /** By path from the skill's folder, `/` between steps. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * Makes a skill of files by path, `SKILL.md` among them: `skill({ 'SKILL.md': '---\nname: …', 'references/a.md': … })`.
 * Rejects with a `SkillError` when the front matter, a path or the limits are broken.
 */
export async function skill(files: SkillFiles): Promise<Skill> {
  const encoder = new TextEncoder();
  const held = new Map<string, Uint8Array>();
  for (const path of Object.keys(files).sort()) {
    const content = files[path] ?? '';
    if (!isPath(path)) {
      const message = `skill: ${JSON.stringify(path)} is no path of a file below the skill's folder`;
      throw new SkillError(message, { fault: 'malformed' });
    }
    held.set(path, typeof content === 'string' ? encoder.encode(content) : content);
  }
  const main = held.get(mainFile);
  if (!main) throw new SkillError(`skill: it has no ${mainFile}`, { fault: 'malformed' });
  const frontMatter = await readFrontMatter(new TextDecoder().decode(main), mainFile);
  const bytes = [...held.values()].reduce((sum, { length }) => sum + length, 0);
  checkLimits(frontMatter.name, held.size, bytes);
  return Object.freeze({ frontMatter, files: held });
}

function isPath(path: string): boolean {
  // A half of a surrogate pair has no place in a URI.
  if (/[\\\0]|[\uD800-\uDFFF]/u.test(path)) return false;
  return path.split('/').every(step => !/^\.{0,2}$/.test(step));
}

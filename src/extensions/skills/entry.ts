/** A skill as it is listed: where it is, its front matter, and each of its files with size and digest. */
import { sketch } from '../../basics/sketch.ts';
import { checkFrontMatter, type FrontMatter } from './front-matter.ts';
import { SkillError } from './skill-error.ts';

/** One file of a skill. */
export interface SkillResource {
  readonly uri: string;
  /** `sha256:` and 64 lowercase hexadecimal digits. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

export interface SkillEntry {
  /** Of its SKILL.md. */
  readonly uri: string;
  readonly frontmatter: FrontMatter;
  /** Every file, or `dynamic` when they are made on demand and cannot be verified. */
  readonly resources: readonly SkillResource[] | 'dynamic';
}

export const mainFile = 'SKILL.md';

/** What one skill may hold: files, and bytes in all. */
export const skillLimits: { readonly files: number; readonly bytes: number } = {
  files: 512,
  bytes: 16 * 1024 * 1024,
};

/** The folder of a skill, with its slash at the end. */
export function rootOf(entry: { readonly uri: string }): string {
  return entry.uri.slice(0, -mainFile.length);
}

/** Reads an entry as a server sent it. Throws a `SkillError` for one that breaks the rules of skills. */
export function readEntry(value: unknown): SkillEntry {
  if (typeof value !== 'object' || value === null) {
    throw new SkillError(`a skill must be an object, got ${sketch(value)}`, { fault: 'malformed' });
  }
  const { uri, frontmatter, resources } = value as Record<string, unknown>;
  if (typeof uri !== 'string' || !uri.endsWith(`/${mainFile}`)) {
    throw new SkillError(`the uri of a skill must end in /${mainFile}, got ${sketch(uri)}`, {
      fault: 'malformed',
    });
  }
  const described = checkFrontMatter(frontmatter, uri);
  const segment = uri.split('/').at(-2);
  if (segment !== described.name) {
    const message = `the skill ${uri} calls itself ${sketch(described.name)}; its folder must have that name`;
    throw new SkillError(message, { fault: 'front-matter', uri });
  }
  const files = resources === 'dynamic' ? resources : readResources(resources, uri);
  return { ...value, uri, frontmatter: described, resources: files };
}

function readResources(value: unknown, uri: string): readonly SkillResource[] {
  const malformed = (why: string): SkillError =>
    new SkillError(`the skill ${uri} ${why}`, { fault: 'malformed', uri });
  if (!Array.isArray(value)) throw malformed(`must list its files or say "dynamic", got ${sketch(value)}`);
  const root = rootOf({ uri });
  const seen = new Set<string>();
  for (const file of value as readonly Partial<SkillResource>[]) {
    const { uri: fileUri, digest, size } = file ?? {};
    if (typeof fileUri !== 'string' || !isWithin(root, fileUri)) {
      throw malformed(`lists a file outside its folder: ${sketch(fileUri)}`);
    }
    if (seen.has(fileUri)) throw malformed(`lists ${sketch(fileUri)} twice`);
    seen.add(fileUri);
    if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
      throw malformed(`lists ${sketch(fileUri)} with a digest that is none: ${sketch(digest)}`);
    }
    if (!Number.isSafeInteger(size) || (size as number) < 0) {
      throw malformed(`lists ${sketch(fileUri)} with a size that is none: ${sketch(size)}`);
    }
  }
  if (!seen.has(uri)) throw malformed(`does not list its own ${mainFile}`);
  const total = (value as readonly SkillResource[]).reduce((sum, { size }) => sum + size, 0);
  checkLimits(uri, value.length, total);
  return value as readonly SkillResource[];
}

/** Throws a `SkillError` for more files or bytes than a skill may have. */
export function checkLimits(uri: string, files: number, bytes: number): void {
  const { files: mostFiles, bytes: mostBytes } = skillLimits;
  if (files <= mostFiles && bytes <= mostBytes) return;
  const message = `the skill ${uri} has ${files} files of ${bytes} bytes in all; it may have ${mostFiles} of ${mostBytes}`;
  throw new SkillError(message, { fault: 'limit', uri });
}

/** True for a URI below `root` that no step of it leads out of. */
export function isWithin(root: string, uri: string): boolean {
  if (!uri.startsWith(root) || uri.length === root.length) return false;
  const steps = uri.slice(root.length).split(/[?#]/, 1)[0]?.split('/') ?? [];
  return steps.every(step => !/^(\.|%2e){0,2}$/i.test(step) && !/%2f|%5c|\\/i.test(step));
}

/** The digest of a file, as entries hold it. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${[...hash].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
}

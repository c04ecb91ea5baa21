/** Skills in the form they are served in: entries, contents and folders by URI. */
import { encodeBase64 } from '../../basics/base64.ts';
import type { ResourceContents } from '../../tools/content.ts';
import { digestOf, mainFile, type SkillEntry } from './entry.ts';
import { mediaTypeOf } from './media-types.ts';
import type { Skill } from './skill.ts';

/** A file or folder as a list of resources names it. */
export interface SkillListing {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
  readonly size?: number;
}

interface ServedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export class Catalogue {
  /** The SKILL.md of each skill. */
  readonly listings: readonly SkillListing[];
  readonly #skills: readonly Skill[];
  readonly #files = new Map<string, ServedFile>();
  readonly #folders = new Map<string, Map<string, SkillListing>>();
  #entries: Promise<readonly SkillEntry[]> | undefined;

  /** Throws a TypeError when two skills have the same name. */
  constructor(skills: readonly Skill[]) {
    this.#skills = skills;
    this.listings = skills.map(skill => this.#add(skill));
  }

  /** In the order the skills were given. Digests are computed when they are first asked for. */
  get entries(): Promise<readonly SkillEntry[]> {
    this.#entries ??= Promise.all(this.#skills.map(describe));
    return this.#entries;
  }

  /** The contents of one file; nothing for a URI that is none. */
  read(uri: string): ResourceContents | undefined {
    const file = this.#files.get(uri);
    return file && contentsOf(uri, file);
  }

  /** What stands directly in a folder; nothing for a URI that is none. */
  folder(uri: string): readonly SkillListing[] | undefined {
    const folder = this.#folders.get(uri);
    return folder && [...folder.values()];
  }

  #add(skill: Skill): SkillListing {
    if (skill instanceof Promise) throw new TypeError('skills: a skill is not awaited; give await skill(…)');
    const { frontMatter, files } = skill;
    const { name, description } = frontMatter;
    const root = `skill://${name}`;
    if (this.#folders.has(root)) {
      throw new TypeError(`skills: the name "${name}" is given twice; each skill needs one of its own`);
    }
    this.#folders.set(root, new Map());
    for (const [path, bytes] of files) {
      const uri = uriOf(root, path);
      this.#files.set(uri, { path, bytes });
      const mimeType = mediaTypeOf(path, decode(bytes) !== undefined);
      this.#place(root, path, { uri, name: lastStep(path), mimeType, size: bytes.length });
    }
    const size = files.get(mainFile)?.length ?? 0;
    return { uri: uriOf(root, mainFile), name, description, mimeType: 'text/markdown', size };
  }

  /** Puts a file or folder into its folder, which is made where it is missing. */
  #place(root: string, path: string, listing: SkillListing): void {
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    const uri = above === '' ? root : uriOf(root, above);
    let folder = this.#folders.get(uri);
    if (!folder) {
      folder = new Map();
      this.#folders.set(uri, folder);
      this.#place(root, above, { uri, name: lastStep(above), mimeType: 'inode/directory' });
    }
    folder.set(path, listing);
  }
}

async function describe({ frontMatter, files }: Skill): Promise<SkillEntry> {
  const root = `skill://${frontMatter.name}`;
  const resources = [...files].map(async ([path, bytes]) => ({
    uri: uriOf(root, path),
    digest: await digestOf(bytes),
    size: bytes.length,
  }));
  return { uri: uriOf(root, mainFile), frontmatter: frontMatter, resources: await Promise.all(resources) };
}

function uriOf(root: string, path: string): string {
  return `${root}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

function lastStep(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function contentsOf(uri: string, { path, bytes }: ServedFile): ResourceContents {
  const text = decode(bytes);
  const mimeType = mediaTypeOf(path, text !== undefined);
  return text === undefined ? { uri, mimeType, blob: encodeBase64(bytes) } : { uri, mimeType, text };
}

/** The text that encodes to exactly these bytes; nothing when there is none. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Skills of a server, as a client reads them: listed first, files on demand, nothing believed that does not fit. */
import { decodeBase64 } from '../../basics/base64.ts';
import { sketch } from '../../basics/sketch.ts';
import type { ClientAccess } from '../../protocol/extension.ts';
import type { Params } from '../../rpc/message.ts';
import { digestOf, isWithin, mainFile, readEntry, rootOf, type SkillEntry, skillLimits } from './entry.ts';
import { isSameJson, readFrontMatter } from './front-matter.ts';
import { isSkillError, SkillError } from './skill-error.ts';

/** What is needed of a client; `Client` has it. */
export interface SkillClient {
  access(options?: { readonly signal?: AbortSignal }): ClientAccess;
}

export interface SkillReaderOptions {
  /** A listed skill that breaks the rules is left out of the list and told of here; so is a list that never ends. */
  readonly onRefused?: (error: SkillError) => void;
}

export interface SkillRequestOptions {
  readonly signal?: AbortSignal;
}

/** A file of a skill that is what the list said it is. */
export interface SkillFile {
  readonly uri: string;
  readonly mimeType?: string;
  readonly bytes: Uint8Array;
  /** Absent for a file that was sent as bytes. */
  readonly text?: string;
}

const mostPages = 1000;
const mostSkills = 10_000;

/** The skills of the server that `client` is connected to; nothing is asked for before it is needed. */
export function skillsOf(client: SkillClient, options: SkillReaderOptions = {}): SkillReader {
  return new SkillReader(client, options);
}

/** Made by `skillsOf`. Everything rejects with what the request failed with, or with a `SkillError` for an odd answer. */
export class SkillReader {
  readonly #client: SkillClient;
  readonly #options: SkillReaderOptions;

  constructor(client: SkillClient, options: SkillReaderOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Every skill the server offers, 10,000 at most, with what it says of itself; their files are not read. */
  async list(options: SkillRequestOptions = {}): Promise<readonly SkillEntry[]> {
    const access = this.#client.access(options);
    const entries: SkillEntry[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 1; ; page += 1) {
      const result = await access.request('skills/list', cursor === undefined ? {} : { cursor });
      const { skills: listed, nextCursor } = result;
      if (!Array.isArray(listed)) {
        const message = `skills/list: the server sent no list but ${sketch(listed)}`;
        throw new SkillError(message, { fault: 'malformed' });
      }
      for (const each of listed) this.#take(each, entries);
      const isLast = typeof nextCursor !== 'string';
      if (isLast && entries.length <= mostSkills) return entries;
      // A cursor that comes again would lead round and round.
      if (isLast || seen.has(nextCursor) || page === mostPages || entries.length >= mostSkills) {
        const message = `skills/list: the list never ends, or is too long; it was left after ${entries.length} skills`;
        this.#options.onRefused?.(new SkillError(message, { fault: 'limit' }));
        return entries.slice(0, mostSkills);
      }
      seen.add(nextCursor);
      cursor = nextCursor;
    }
  }

  /** One skill by the URI of its SKILL.md. Rejects with a `SkillError` when it breaks the rules of skills. */
  async get(uri: string, options: SkillRequestOptions = {}): Promise<SkillEntry> {
    const { skill } = await this.#client.access(options).request('skills/get', { uri });
    const entry = readEntry(skill);
    if (entry.uri === uri) return entry;
    const message = `skills/get: asked for ${sketch(uri)}, got ${sketch(entry.uri)}`;
    throw new SkillError(message, { fault: 'malformed', uri });
  }

  /**
   * Reads one file of a skill: its SKILL.md, or the file with that URI or path below the skill's folder. Rejects with a
   * `SkillError` when the file is not among those listed, or is another than the one listed in size or digest, or
   * (SKILL.md) in its front matter.
   */
  async read(
    entry: SkillEntry,
    file: string = mainFile,
    options: SkillRequestOptions = {},
  ): Promise<SkillFile> {
    const uri = file.includes('://') ? file : `${rootOf(entry)}${file}`;
    const listed = entry.resources === 'dynamic' ? undefined : entry.resources.find(each => each.uri === uri);
    const isKnown = entry.resources === 'dynamic' ? isWithin(rootOf(entry), uri) : listed !== undefined;
    if (!isKnown) {
      const message = `the skill ${entry.uri} has no file ${sketch(file)}`;
      throw new SkillError(message, { fault: 'unlisted', uri });
    }
    const result = await this.#client.access(options).request('resources/read', { uri });
    const read = readContents(result, uri);
    const size = read.bytes.length;
    if (size > skillLimits.bytes) {
      throw new SkillError(`${uri} has ${size} bytes, more than a skill may have`, { fault: 'limit', uri });
    }
    if (listed && size !== listed.size) {
      const message = `${uri} has ${size} bytes and was listed with ${listed.size}`;
      throw new SkillError(message, { fault: 'size', uri });
    }
    if (listed && (await digestOf(read.bytes)) !== listed.digest) {
      const message = `${uri} is not the file that was listed: its digest is another`;
      throw new SkillError(message, { fault: 'digest', uri });
    }
    if (uri === entry.uri && !isSameJson(await readFrontMatter(textOf(read), uri), entry.frontmatter)) {
      const message = `${uri} says something else of itself than the list of skills did`;
      throw new SkillError(message, { fault: 'front-matter', uri });
    }
    return read;
  }

  #take(value: unknown, entries: SkillEntry[]): void {
    try {
      entries.push(readEntry(value));
    } catch (error) {
      if (!isSkillError(error)) throw error;
      this.#options.onRefused?.(error);
    }
  }
}

/** The one content of that URI. */
function readContents(result: Params, uri: string): SkillFile {
  const { contents } = result;
  const content = Array.isArray(contents) ? contents.find(each => each?.uri === uri) : undefined;
  const { text, blob, mimeType } = (content ?? {}) as Record<string, unknown>;
  const type = typeof mimeType === 'string' ? { mimeType } : {};
  if (typeof text === 'string') return { uri, ...type, bytes: new TextEncoder().encode(text), text };
  const bytes = typeof blob === 'string' ? decodeBase64(blob) : undefined;
  if (bytes) return { uri, ...type, bytes };
  throw new SkillError(`resources/read: the server sent no contents of ${uri}`, { fault: 'malformed', uri });
}

function textOf(file: SkillFile): string {
  return file.text ?? new TextDecoder().decode(file.bytes);
}

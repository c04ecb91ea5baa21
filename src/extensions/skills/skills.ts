/** The skills extension: a server lists and serves skills, a client says that it reads them. */
import { checkNumber } from '../../basics/option-checks.ts';
import { sketch } from '../../basics/sketch.ts';
import type { Call, Outcome } from '../../protocol/call.ts';
import type { Extension } from '../../protocol/extension.ts';
import type { Params } from '../../rpc/message.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import { Catalogue } from './catalogue.ts';
import type { Skill } from './skill.ts';

export const skillsId = 'io.modelcontextprotocol/skills';

export interface SkillsOptions {
  /** Entries per page of a list; 100. */
  readonly pageSize?: number;
  /** Milliseconds that clients may keep what they were told; 0. */
  readonly ttlMs?: number;
}

/**
 * Give it in `extensions`. To a server with the skills it offers: they are listed, and their files are read as
 * resources. To a client without any: use `skillsOf(client)` then. Throws a TypeError for options that cannot be used
 * and for two skills of one name.
 */
export function skills(offered?: readonly Skill[], options: SkillsOptions = {}): Extension {
  if (offered === undefined) return { id: skillsId };
  const { pageSize = 100, ttlMs = 0 } = options;
  checkNumber('skills', 'pageSize', pageSize, { integer: true, min: 1 });
  checkNumber('skills', 'ttlMs', ttlMs, { integer: true, min: 0 });
  const catalogue = new Catalogue(offered);
  const fresh = { ttlMs, cacheScope: 'public' };
  return {
    id: skillsId,
    settings: { directoryRead: true },
    resources: {
      list: () => catalogue.listings,
      read: uri => {
        const contents = catalogue.read(uri);
        return contents && [contents];
      },
    },
    methods: {
      'skills/list': async call => {
        const page = readPage(await catalogue.entries, call, pageSize);
        return { value: { skills: page.items, ...page.next, ...fresh } };
      },
      'skills/get': async call => {
        const uri = readUri(call);
        const entry = (await catalogue.entries).find(each => each.uri === uri);
        if (!entry) throw refusal(`there is no skill ${sketch(uri)}; skills/list names those there are`);
        return { value: { skill: entry, ...fresh } };
      },
      'resources/directory/read': call => readFolder(catalogue, call, pageSize),
    },
  };
}

function readFolder(catalogue: Catalogue, call: Call, pageSize: number): Outcome {
  const uri = readUri(call);
  const listings = catalogue.folder(uri);
  if (!listings) throw refusal(`${sketch(uri)} is no folder of a skill; folders have no slash at their end`);
  const page = readPage(listings, call, pageSize);
  return { value: { resources: page.items, ...page.next } };
}

function readUri(call: Call): string {
  const { uri } = call.params;
  if (typeof uri === 'string') return uri;
  throw refusal(`uri must be a string, got ${sketch(uri)}`);
}

/** Cursors are opaque to clients; they stay good because what is offered never changes. */
function readPage<Item>(
  items: readonly Item[],
  call: Call,
  size: number,
): { readonly items: readonly Item[]; readonly next: Params } {
  const { cursor } = call.params;
  let start = 0;
  if (cursor !== undefined && cursor !== null) {
    start = cursors(items.length, size).get(cursor) ?? -1;
    if (start < 0) throw refusal('the cursor is not one of this list; list from the beginning');
  }
  const end = start + size;
  return { items: items.slice(start, end), next: end < items.length ? { nextCursor: cursorAt(end) } : {} };
}

function cursors(count: number, size: number): ReadonlyMap<unknown, number> {
  const starts = Array.from({ length: Math.ceil(count / size) }, (_none, page) => page * size).slice(1);
  return new Map(starts.map(start => [cursorAt(start), start]));
}

function cursorAt(start: number): string {
  return btoa(`skills:${start}`);
}

function refusal(why: string): ProtocolError {
  return new ProtocolError(codes.invalidParams, why);
}

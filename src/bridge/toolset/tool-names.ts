/** What the tools of several servers are called: the same whatever server answers first, and never two of one name. */

/** A tool that wants a name. */
export interface NameClaim {
  /** The key of its server. */
  readonly server: string;
  /** What its server calls it. */
  readonly tool: string;
  /** The name that the options give it. */
  readonly rename?: string | undefined;
}

export interface NameOptions {
  /** `never` offers neither of two tools of one name. */
  readonly prefix: 'on-collision' | 'always' | 'never';
  /** Between the key of the server and the name of the tool. */
  readonly separator: string;
  /** Names of other tools, which no tool of a server takes. */
  readonly reserved: readonly string[];
}

/** The name of a claim, or why it has none. */
export type NameGiven = { readonly name: string } | { readonly reason: string };

interface Naming {
  readonly claim: NameClaim;
  name: string;
  /** Whether the name is not the tool's own and may change. */
  isMade: boolean;
}

/** The outcome for each claim, in order. It hangs on the set of claims alone, not on their order. */
export function nameTools(claims: readonly NameClaim[], options: NameOptions): readonly NameGiven[] {
  const { prefix, separator, reserved } = options;
  const taken = new Set(reserved.map(fold));
  const namings = claims.map(claim => ({ claim, name: claim.rename ?? claim.tool, isMade: false }));
  const clashing = findClashes(namings, taken);
  if (prefix === 'never') {
    return namings.map(({ name, claim }) => {
      const rivals = clashing.get(fold(name));
      return rivals === undefined ? { name } : { reason: explain(name, claim, rivals, taken) };
    });
  }
  for (const naming of namings) {
    const { claim, name } = naming;
    if (!clashing.has(fold(name)) && (prefix !== 'always' || claim.rename !== undefined)) continue;
    naming.name = `${claim.server.replace(/[^A-Za-z0-9_-]+/g, '_')}${separator}${name}`;
    naming.isMade = true;
  }
  for (const rivals of findClashes(namings, taken).values()) {
    for (const naming of rivals) if (naming.isMade || isTwice(naming, rivals)) addMark(naming);
  }
  const last = findClashes(namings, taken);
  return namings.map(({ name, claim }) => {
    const rivals = last.get(fold(name));
    return rivals === undefined ? { name } : { reason: explain(name, claim, rivals, taken) };
  });
}

/** Names that only differ in what some providers do not take, or after 64 characters, count as one. */
function fold(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '_').slice(0, longest);
}

const longest = 64;

/** By folded name: those that are not alone. Two tools of one server clash only when their names are the same. */
function findClashes(
  namings: readonly Naming[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, readonly Naming[]> {
  const groups = new Map<string, Naming[]>();
  for (const naming of namings) {
    const group = groups.get(fold(naming.name));
    if (group) group.push(naming);
    else groups.set(fold(naming.name), [naming]);
  }
  for (const [folded, group] of groups) {
    const servers = new Set(group.map(({ claim }) => claim.server)).size;
    const names = new Set(group.map(({ name }) => name)).size;
    if (servers === 1 && names === group.length && !taken.has(folded)) groups.delete(folded);
  }
  return groups;
}

function isTwice({ name }: Naming, rivals: readonly Naming[]): boolean {
  return rivals.filter(rival => rival.name === name).length > 1;
}

/** Makes the name one of its own, by a mark that follows from whose tool it is. */
function addMark(naming: Naming): void {
  const { server, tool } = naming.claim;
  const mark = `_${hash(`${server}/${tool}`).toString(36).padStart(7, '0')}`;
  naming.name = naming.name.slice(0, longest - mark.length) + mark;
}

/** FNV-1a, 32 bits: only has to differ. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}

function explain(
  name: string,
  claim: NameClaim,
  rivals: readonly Naming[],
  taken: ReadonlySet<string>,
): string {
  const shown = JSON.stringify(name);
  if (taken.has(fold(name))) return `the name ${shown} is that of another tool of the agent; ${remedy}`;
  const others = rivals.filter(rival => rival.claim !== claim).map(rival => rival.claim.server);
  return `${[...new Set(others)].join(' and ')} has a tool named ${shown} too, and neither is offered; ${remedy}`;
}

const remedy = 'leave one out with "filter", rename it with "adjust", or let "prefix" be "on-collision"';

/** All tools of all servers of a toolset under their names, kept up to date from the lists of the servers. */
import type { Clock } from '../../basics/clock.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { bridgeTool } from './bridged-tool.ts';
import type { CallDesk } from './call-desk.ts';
import { sizeOf } from './definition-size.ts';
import type { DriftGuard } from './drift-guard.ts';
import type { DroppedTool } from './served-tool.ts';
import type { ServerSeat } from './server-seat.ts';
import { type Candidate, type CandidateFacts, type Candidates, findCandidates } from './tool-candidates.ts';
import { type NameOptions, nameTools } from './tool-names.ts';
import type { ToolsetChange } from './toolset-events.ts';
import { findUnmatched, type UnmatchedOption, type WatchedPattern } from './toolset-unmatched.ts';

/** A tool that is offered. */
export interface CatalogEntry {
  readonly tool: AnyTool;
  readonly candidate: Candidate;
  /** About how many tokens its definition takes. */
  readonly tokens: number;
  readonly needsApproval: boolean;
}

export interface Catalog {
  readonly entries: readonly CatalogEntry[];
  readonly dropped: readonly DroppedTool[];
  /** By the key of its server: why it has more tools than were read or taken over. */
  readonly cuts: ReadonlyMap<string, string>;
  readonly unmatched: readonly UnmatchedOption[];
  /** All that could be offered, also what is kept out for its name or its drift, and the tools of servers that are down. */
  readonly candidates: readonly Candidate[];
}

export interface CatalogFacts extends CandidateFacts {
  readonly names: NameOptions;
  readonly watched: readonly WatchedPattern[];
  readonly guard: DriftGuard;
  readonly desk: CallDesk;
  readonly clock: Clock;
  readonly life: AbortSignal;
}

interface Read extends Candidates {
  readonly list: ServerSeat['list'];
  readonly byAddress: ReadonlyMap<string, Candidate>;
}

const nothing: Read = { list: undefined, tools: [], dropped: [], byAddress: new Map() };

export class ToolCatalog {
  readonly #seats: readonly ServerSeat[];
  readonly #facts: CatalogFacts;
  readonly #reads = new Map<string, Read>();
  #now: Catalog = { entries: [], dropped: [], cuts: new Map(), unmatched: [], candidates: [] };

  constructor(seats: readonly ServerSeat[], facts: CatalogFacts) {
    this.#seats = seats;
    this.#facts = facts;
  }

  get now(): Catalog {
    return this.#now;
  }

  /** Builds the catalogue from the lists that the servers have now, and says what is different; unless `signal` aborts. */
  async build(signal: AbortSignal): Promise<ToolsetChange> {
    const usable: Candidate[] = [];
    const all: Candidate[] = [];
    const dropped: DroppedTool[] = [];
    const barred = new Map<string, string>();
    const cuts = new Map<string, string>();
    for (const seat of this.#seats) {
      const read = this.#read(seat);
      all.push(...read.tools);
      dropped.push(...seat.leftOut, ...read.dropped);
      if (seat.state.state !== 'ready') continue;
      const cut = [seat.cut, read.cut].filter(each => each !== undefined);
      if (cut.length > 0) cuts.set(seat.key, cut.join('; '));
      const reasons = await Promise.all(read.tools.map(({ served }) => this.#facts.guard.judge(served)));
      for (const [index, candidate] of read.tools.entries()) {
        const reason = reasons[index];
        if (reason === undefined) usable.push(candidate);
        else {
          barred.set(candidate.address, reason);
          dropped.push({ server: seat.key, tool: candidate.served.name, reason });
        }
      }
    }
    // Somebody may have thought long about a drift, and whoever waited for this may have left.
    signal.throwIfAborted();
    const names = this.#name(all, dropped);
    const lists = this.#seats.map(({ key, list }) => ({ key, tools: list }));
    const { options: unmatched, guarded } = findUnmatched(this.#facts.watched, lists, all);
    const before = this.#now;
    const known = new Map(before.entries.map(entry => [entry.candidate, entry]));
    const entries = usable.flatMap(candidate => {
      const name = names.get(candidate);
      return name === undefined ? [] : [this.#enter(candidate, name, guarded, known.get(candidate))];
    });
    const same =
      entries.length === before.entries.length &&
      entries.every((entry, index) => entry === before.entries[index]);
    this.#facts.desk.bar(barred);
    this.#now = { entries: same ? before.entries : entries, dropped, cuts, unmatched, candidates: all };
    return diff(before.entries, entries);
  }

  #read(seat: ServerSeat): Read {
    const before = this.#reads.get(seat.key) ?? nothing;
    const { list } = seat;
    const { client } = seat.link;
    if (list === undefined || client === undefined || list === before.list) return before;
    const found = findCandidates(client, seat.key, list, before.byAddress, this.#facts);
    const read = { ...found, list, byAddress: new Map(found.tools.map(each => [each.address, each])) };
    this.#reads.set(seat.key, read);
    return read;
  }

  /** Of all that are known, also those of servers that are down: a name must not pass to another tool meanwhile. */
  #name(all: readonly Candidate[], dropped: DroppedTool[]): ReadonlyMap<Candidate, string> {
    const claims = all.map(({ served, adjustment }) => ({
      server: served.server,
      tool: served.name,
      rename: adjustment.rename,
    }));
    const given = nameTools(claims, this.#facts.names);
    const names = new Map<Candidate, string>();
    for (const [index, candidate] of all.entries()) {
      const outcome = given[index];
      if (outcome === undefined) continue;
      if ('name' in outcome) names.set(candidate, outcome.name);
      else {
        const { server, name } = candidate.served;
        dropped.push({ server, tool: name, reason: outcome.reason });
      }
    }
    return names;
  }

  #enter(
    candidate: Candidate,
    name: string,
    guarded: ReadonlySet<string>,
    known: CatalogEntry | undefined,
  ): CatalogEntry {
    const { served, address, description, adjustment, held } = candidate;
    const isGuarded = guarded.has(served.server) && adjustment.needsApproval !== false;
    const needsApproval = candidate.needsApproval || isGuarded;
    if (known?.tool.name === name && known.needsApproval === needsApproval) return known;
    const seat = this.#seats.find(({ key }) => key === served.server) as ServerSeat;
    const { desk, clock, life } = this.#facts;
    const rules = { address, needsApproval, maxCalls: adjustment.maxCalls ?? Number.POSITIVE_INFINITY };
    const tool = bridgeTool({ served, name, description, adjustment, held, seat, desk, rules, clock, life });
    return { tool, candidate, tokens: sizeOf(tool), needsApproval };
  }
}

function diff(before: readonly CatalogEntry[], after: readonly CatalogEntry[]): ToolsetChange {
  const old = new Map(before.map(entry => [entry.tool.name, entry]));
  const added: string[] = [];
  const changed: string[] = [];
  for (const { tool, candidate } of after) {
    const was = old.get(tool.name);
    old.delete(tool.name);
    if (was === undefined) added.push(tool.name);
    else if (was.candidate !== candidate) changed.push(tool.name);
  }
  return { added, removed: [...old.keys()], changed };
}

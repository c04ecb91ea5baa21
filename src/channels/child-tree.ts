/**
 * A child and all that descends from it, as one thing that lives and can be ended; also what left the child's process
 * group or lost its parent, once it was seen.
 */
import { carriesMark } from './child-mark.ts';
import { type ProcessEntry, readProcesses } from './child-processes.ts';

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** What the rest knows of a tree. Nothing here throws, and only members are ever signalled. */
export interface ProcessTree {
  /** Takes note of members that have appeared; what is never seen cannot be followed once it is orphaned. */
  look(): void;
  /** Whether any member lives that can still be found; looks first. */
  alive(): boolean;
  /** Signals every member once; looks first. */
  signal(signal: EndSignal): void;
  /** Kills every member, and whoever appeared meanwhile: there may be no later moment to look again. */
  kill(): void;
  /** Whether looking is cheap enough to do now and then while all is well. */
  readonly watchful: boolean;
}

/** How often a kill looks for those who appeared; each time all who could start more of them have been killed. */
const mostLooks = 10;

/** What a tree asks of the system. */
export interface ProcessSystem {
  read(): readonly ProcessEntry[] | undefined;
  /** `process.kill`: a negative number is a group; throws when there is nobody. */
  kill(pid: number, signal: EndSignal | 0): void;
  readonly watchful: boolean;
  /**
   * Whether the process carries the mark in its environment, which it never begins or ceases to; nothing while that cannot
   * be told.
   */
  carries(pid: number, mark: string): boolean | undefined;
}

export interface TreeOptions {
  readonly mark?: string | undefined;
  readonly system?: ProcessSystem;
}

const thisSystem: ProcessSystem = {
  read: readProcesses,
  kill: (pid, signal) => void process.kill(pid, signal),
  // Elsewhere each look starts a `ps`.
  get watchful() {
    return process.platform === 'linux';
  },
  carries: carriesMark,
};

/**
 * The tree below `root`, which must lead a session (and so a process group) of its own, with all that carry `mark`
 * wherever they are.
 */
export class PosixTree implements ProcessTree {
  readonly watchful: boolean;
  readonly #root: number;
  readonly #system: ProcessSystem;
  readonly #mark: string | undefined;
  /** When the root started: nobody older can be marked. Where starts are no numbers there are no marks either. */
  #since: number | undefined;
  /** Those without the mark at the last look, by pid, with their start: each is asked once. */
  #unmarked: ReadonlyMap<number, string> = new Map();
  /** Members seen at the last look, by pid, with their start. */
  #known = new Map<number, string>();
  #sessions: ReadonlySet<number>;

  constructor(root: number, { mark, system = thisSystem }: TreeOptions = {}) {
    this.#root = root;
    this.#mark = mark;
    this.#system = system;
    this.watchful = system.watchful;
    this.#sessions = new Set([root]);
    this.look();
  }

  look(): void {
    this.#members();
  }

  alive(): boolean {
    const members = this.#members();
    return members === undefined ? this.#send(-this.#root, 0) : members.length > 0;
  }

  signal(signal: EndSignal): void {
    const members = this.#members();
    if (members === undefined) this.#send(-this.#root, signal);
    else this.#signalAll(members, signal);
  }

  #signalAll(members: readonly ProcessEntry[], signal: EndSignal): void {
    // The group as one, so that nothing escapes by forking in between; nobody gets a signal twice.
    if (members.some(member => member.group === this.#root)) this.#send(-this.#root, signal);
    for (const member of members) if (member.group !== this.#root) this.#send(member.pid, signal);
  }

  kill(): void {
    const killed = new Map<number, string>();
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const members = this.#members();
      if (members === undefined) {
        this.#send(-this.#root, 'SIGKILL');
        return;
      }
      const fresh = members.filter(({ pid, started }) => killed.get(pid) !== started);
      if (fresh.length === 0) return;
      this.#signalAll(fresh, 'SIGKILL');
      for (const { pid, started } of fresh) killed.set(pid, started);
    }
  }

  #members(): readonly ProcessEntry[] | undefined {
    // When the last member was missed because it appeared during the reading, a second reading finds it.
    for (let readings = 0; ; readings += 1) {
      const table = this.#system.read();
      if (table === undefined) return undefined;
      this.#since ??= Number(table.find(({ pid }) => pid === this.#root)?.started ?? 0);
      const members = findMembers(table, this.#known, this.#sessions, this.#marked(table));
      if (members.length === 0 && readings === 0 && this.#known.size > 0) continue;
      this.#known = new Map(members.map(member => [member.pid, member.started]));
      this.#sessions = new Set(members.map(member => member.session).filter(session => session > 1));
      return members;
    }
  }

  #marked(table: readonly ProcessEntry[]): ReadonlySet<number> {
    const marked = new Set<number>();
    const unmarked = new Map<number, string>();
    const mark = this.#mark;
    const since = this.#since ?? 0;
    if (mark !== undefined) {
      for (const { pid, started } of table) {
        if (!(Number(started) >= since)) continue;
        const carries = this.#unmarked.get(pid) === started ? false : this.#system.carries(pid, mark);
        if (carries === true) marked.add(pid);
        else if (carries === false) unmarked.set(pid, started);
      }
    }
    this.#unmarked = unmarked;
    return marked;
  }

  #send(pid: number, signal: EndSignal | 0): boolean {
    try {
      this.#system.kill(pid, signal);
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * The processes that belong: those known by pid and start, those in a session of ours, those that are marked, and all
 * that descends from any of them. An empty set of sessions finds nobody, so a number that the system hands out again is never mistaken.
 */
function findMembers(
  table: readonly ProcessEntry[],
  known: ReadonlyMap<number, string>,
  sessions: ReadonlySet<number>,
  marked: ReadonlySet<number>,
): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  const found = new Map<number, ProcessEntry>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
    const belongs = known.get(entry.pid) === entry.started || sessions.has(entry.session);
    if (belongs || marked.has(entry.pid)) found.set(entry.pid, entry);
  }
  // A Map that grows while it is walked is walked to its end.
  for (const pid of found.keys()) for (const child of children.get(pid) ?? []) found.set(child.pid, child);
  return [...found.values()];
}

/**
 * A child and all that descends from it, as one thing that lives and can be ended; also what left the child's process
 * group or lost its parent, once it was seen.
 */
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
  /** Whether looking is cheap enough to do now and then while all is well. */
  readonly watchful: boolean;
}

/** What a tree asks of the system. */
export interface ProcessSystem {
  read(): readonly ProcessEntry[] | undefined;
  /** `process.kill`: a negative number is a group; throws when there is nobody. */
  kill(pid: number, signal: EndSignal | 0): void;
  readonly watchful: boolean;
}

const thisSystem: ProcessSystem = {
  read: readProcesses,
  kill: (pid, signal) => void process.kill(pid, signal),
  // Elsewhere each look starts a `ps`.
  watchful: process.platform === 'linux',
};

/** The tree below `root`, which must lead a session (and so a process group) of its own. */
export class PosixTree implements ProcessTree {
  readonly watchful: boolean;
  readonly #root: number;
  readonly #system: ProcessSystem;
  /** Members seen at the last look, by pid, with their start. */
  #known = new Map<number, string>();
  #sessions: ReadonlySet<number>;

  constructor(root: number, system: ProcessSystem = thisSystem) {
    this.#root = root;
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
    // The group as one, so that nothing escapes by forking in between; nobody gets a signal twice.
    if (members === undefined || members.some(member => member.group === this.#root)) {
      this.#send(-this.#root, signal);
    }
    for (const member of members ?? []) if (member.group !== this.#root) this.#send(member.pid, signal);
  }

  #members(): readonly ProcessEntry[] | undefined {
    // When the last member was missed because it appeared during the reading, a second reading finds it.
    for (let readings = 0; ; readings += 1) {
      const table = this.#system.read();
      if (table === undefined) return undefined;
      const members = findMembers(table, this.#known, this.#sessions);
      if (members.length === 0 && readings === 0 && this.#known.size > 0) continue;
      this.#known = new Map(members.map(member => [member.pid, member.started]));
      this.#sessions = new Set(members.map(member => member.session).filter(session => session > 1));
      return members;
    }
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
 * The processes that belong: those known by pid and start, those in a session of ours, and all that descends from
 * either. An empty set of sessions finds nobody, so a number that the system hands out again is never mistaken.
 */
export function findMembers(
  table: readonly ProcessEntry[],
  known: ReadonlyMap<number, string>,
  sessions: ReadonlySet<number>,
): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  const found = new Map<number, ProcessEntry>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
    if (known.get(entry.pid) === entry.started || sessions.has(entry.session)) found.set(entry.pid, entry);
  }
  // A Map that grows while it is walked is walked to its end.
  for (const pid of found.keys()) for (const child of children.get(pid) ?? []) found.set(child.pid, child);
  return [...found.values()];
}

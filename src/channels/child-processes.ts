/** The process table of a POSIX system, as far as following a tree needs it: `/proc` on Linux, `ps` elsewhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { childSystem } from './child-system.ts';

/** A process that lives; those that have ended and were not yet collected by their parent do not count. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The session; where the system does not tell it, the group. Descendants cannot join one that is not theirs. */
  readonly session: number;
  /** When it started, in the system's own words: with the pid it names one process for good, a pid alone does not. */
  readonly started: string;
}

/** All living processes that we may see; `undefined` when the system does not tell. Takes a few milliseconds. */
export function readProcesses(platform: string = process.platform): readonly ProcessEntry[] | undefined {
  return (platform === 'linux' ? readProc() : undefined) ?? runPs();
}

function readProc(): ProcessEntry[] | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return undefined;
  }
  const entries: ProcessEntry[] = [];
  for (const name of names) {
    const first = name.charCodeAt(0);
    if (first < 48 || first > 57) continue;
    try {
      const entry = parseStat(readFileSync(`/proc/${name}/stat`, 'latin1'));
      if (entry !== undefined) entries.push(entry);
    } catch {
      // It ended while we were reading.
    }
  }
  return entries.length === 0 ? undefined : entries;
}

/** Reads `/proc/<pid>/stat`; the name in parentheses may itself hold parentheses and spaces. */
export function parseStat(text: string): ProcessEntry | undefined {
  const behind = text.lastIndexOf(')');
  if (behind === -1) return undefined;
  const fields = text.slice(behind + 2).split(' ');
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (started === undefined || state === 'Z' || state === 'X') return undefined;
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started,
  };
}

function runPs(): ProcessEntry[] | undefined {
  const { status, stdout } = childSystem().spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    timeout: 2000,
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? parsePs(stdout) : undefined;
}

/** Reads what `ps -o pid=,ppid=,pgid=,stat=,lstart=` prints. */
export function parsePs(text: string): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const row of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(row);
    if (match === null || match[4]?.startsWith('Z') === true) continue;
    const group = Number(match[3]);
    entries.push({
      pid: Number(match[1]),
      parent: Number(match[2]),
      group,
      session: group,
      started: match[5] ?? '',
    });
  }
  return entries;
}

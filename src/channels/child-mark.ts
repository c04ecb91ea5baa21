/**
 * A mark in the environment of a child, inherited by all that it starts: so those are found who left its process group
 * and lost their parent before anybody saw them. Where the system shows no environments (only Linux does, of processes
 * of the same user) the mark does nothing.
 */
import { readFileSync } from 'node:fs';

/** The variable; a caller who takes it out of a child's environment does without. */
export const markName = 'TENON_CHILD';

export interface Mark {
  /** What is looked for: nobody else has it. */
  readonly id: string;
  /** The variable's value. Marks of those who started us stay in it, so that they find what we start. */
  readonly value: string;
}

/** A fresh mark; `inherited` is our own value of the variable. */
export function makeMark(inherited: string | undefined, id: string = crypto.randomUUID()): Mark {
  return { id, value: inherited === undefined || inherited === '' ? id : `${inherited} ${id}` };
}

/**
 * Whether the process was started with the mark in its environment. Nothing while it has none: in the middle of its start a
 * process has none yet.
 */
export function carriesMark(pid: number, mark: string): boolean | undefined {
  if (process.platform !== 'linux') return false;
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    return environment.length === 0 ? undefined : environment.includes(mark);
  } catch {
    // It is gone, or somebody else's.
    return false;
  }
}

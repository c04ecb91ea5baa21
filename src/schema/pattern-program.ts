/** A pattern as a list of steps that a machine can take one at a time and count. */
import type { ParsedPattern, PatternNode, Repeat } from './pattern-parser.ts';

/** One step; places in the list are indexes. A register holds a position, or undefined. */
export type Step =
  | { readonly do: 'match' }
  | { readonly do: 'read'; readonly fits: (character: string) => boolean }
  | { readonly do: 'edge'; readonly edge: '^' | '$' | '\\b' | '\\B' }
  | { readonly do: 'split'; readonly first: number; readonly second: number }
  | { readonly do: 'jump'; readonly to: number }
  | { readonly do: 'save'; readonly register: number }
  | { readonly do: 'forget'; readonly from: number; readonly to: number }
  /** Fails when nothing was read since the register was saved. */
  | { readonly do: 'moved'; readonly register: number }
  /** The steps of what is looked for come next and end with `match`. */
  | { readonly do: 'look'; readonly negative: boolean; readonly after: number }
  | { readonly do: 'refer'; readonly group: number };

/** What the machine runs. */
export interface Program {
  readonly steps: readonly Step[];
  readonly registers: number;
  /** True when registers decide, so that being at one place twice is not the same twice. */
  readonly remembers: boolean;
}

/** Counted loops are written out; a longer program is not made. */
const longest = 5000;

/** The steps, or undefined when there would be too many. */
export function writeProgram(
  { root, groups, refersBack }: ParsedPattern,
  flags: 'u' | '',
): Program | undefined {
  const steps: Step[] = [];
  // Two for each group, the whole match included, then one for each loop.
  let registers = 2 * (groups + 1);

  function add(step: Step): number {
    if (steps.length >= longest) throw tooLong;
    return steps.push(step) - 1;
  }

  function write(node: PatternNode): void {
    if (node.kind === 'character') add({ do: 'read', fits: readerOf(node.source, flags) });
    else if (node.kind === 'edge') add({ do: 'edge', edge: node.edge });
    else if (node.kind === 'reference') add({ do: 'refer', group: node.group });
    else if (node.kind === 'sequence') for (const part of node.parts) write(part);
    else if (node.kind === 'choice') writeChoice(node.branches);
    else if (node.kind === 'repeat') writeRepeat(node);
    else if (node.kind === 'look') {
      const look = add({ do: 'match' });
      write(node.body);
      add({ do: 'match' });
      steps[look] = { do: 'look', negative: node.negative, after: steps.length };
    } else {
      if (refersBack) add({ do: 'save', register: 2 * node.group });
      write(node.body);
      if (refersBack) add({ do: 'save', register: 2 * node.group + 1 });
    }
  }

  function writeChoice(branches: readonly PatternNode[]): void {
    const ends: number[] = [];
    for (const [index, branch] of branches.entries()) {
      if (index === branches.length - 1) {
        write(branch);
        continue;
      }
      const split = add({ do: 'match' });
      write(branch);
      ends.push(add({ do: 'match' }));
      steps[split] = { do: 'split', first: split + 1, second: steps.length };
    }
    for (const end of ends) steps[end] = { do: 'jump', to: steps.length };
  }

  function writeTurn({ body, groups: [from, to] }: Repeat): void {
    if (refersBack && to > from) add({ do: 'forget', from: 2 * from, to: 2 * to });
    write(body);
  }

  function writeRepeat(loop: Repeat): void {
    for (let turn = 0; turn < loop.min; turn++) writeTurn(loop);
    const endless = loop.max === Number.POSITIVE_INFINITY;
    const register = registers++;
    const splits: number[] = [];
    for (let turn = endless ? loop.max : loop.min; endless || turn < loop.max; turn++) {
      const split = add({ do: 'match' });
      splits.push(split);
      if (refersBack) add({ do: 'save', register });
      writeTurn(loop);
      if (refersBack) add({ do: 'moved', register });
      if (!endless) continue;
      add({ do: 'jump', to: split });
      break;
    }
    for (const split of splits) {
      const [inside, outside] = [split + 1, steps.length];
      steps[split] = loop.lazy
        ? { do: 'split', first: outside, second: inside }
        : { do: 'split', first: inside, second: outside };
    }
  }

  try {
    write(root);
    add({ do: 'match' });
    return { steps, registers: refersBack ? registers : 0, remembers: refersBack };
  } catch (error) {
    if (error === tooLong) return undefined;
    throw error;
  }
}

const tooLong: unique symbol = Symbol('the program is too long');

/** The platform judges single characters: classes, properties and escapes mean what they mean to it. */
function readerOf(source: string, flags: 'u' | ''): (character: string) => boolean {
  if (!/^[.[\\]/.test(source)) return character => character === source;
  const one = new RegExp(`^(?:${source})$`, flags);
  return character => one.test(character);
}

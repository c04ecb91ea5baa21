/** Where a JSON text can be cut between two items of an array or members of an object, found without building anything. */
import { shorten } from '../../basics/shorten.ts';

/** A cut behind the comma that ends `text[start…end)`. */
export interface ItemCut {
  readonly end: number;
  /**
   * What to put before and behind the piece so that it can be read as JSON. Nothing where more than the one container is
   * cut: what is closed then would pass for whole.
   */
  readonly open: string;
  readonly close: string;
  /** What was cut: the parts that the piece holds, from 1, and how many there are. */
  readonly of: 'items' | 'members';
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** Where it stands in the whole, such as `rows.3.tags`; empty for the whole itself. */
  readonly path: string;
}

interface Level {
  readonly bracket: '[' | '{';
  /** Commas seen on this level. */
  commas: number;
  /** How many there were where the piece starts. */
  before: number;
  /** Where the item or member begins that was come to last. */
  mark: number;
}

interface Candidate {
  readonly end: number;
  readonly level: Level;
  readonly stack: readonly Level[];
  readonly to: number;
}

/** Cuts deeper inside than this are not looked for. */
const deepest = 16;

const longestPath = 60;

/**
 * The last cut before `limit` that fills at least `least` characters and lies in an outermost container; when none fills
 * as much, the one that fills most. The text must be JSON.
 */
export function findItemCut(text: string, start: number, limit: number, least: number): ItemCut | undefined {
  const stack: Level[] = [];
  const candidates = new Map<number, Candidate>();
  let at = walk(text, start, stack);
  const base = at === start && isBetween(text, start) ? stack.at(-1) : undefined;
  const isInside = stack.length > 0;
  for (const level of stack) level.before = level.commas;
  for (; at < limit; at += 1) {
    at = step(text, at, stack);
    const level = stack.at(-1);
    if (text[at] !== ',' || level === undefined || stack.length > deepest) continue;
    if (at + 1 > start && at + 1 <= limit) {
      candidates.set(stack.length, { end: at + 1, level, stack: [...stack], to: level.commas });
    }
  }
  const chosen = choose(candidates, start, least);
  if (chosen === undefined) return undefined;
  const path = pathOf(text, chosen.stack);
  const { level, to, end } = chosen;
  for (; at < text.length && stack.includes(level); at += 1) at = step(text, at, stack);
  const whole = isInside ? base : chosen.stack[0];
  const isOnly = whole !== undefined && chosen.stack.includes(whole) && closes(text, at, stack, whole);
  const frame = isOnly ? frameOf(chosen.stack.slice(chosen.stack.indexOf(whole)), isInside) : unframed;
  const of = level.bracket === '[' ? 'items' : 'members';
  return { end, ...frame, of, from: level.before + 1, to, total: level.commas + 1, path };
}

const unframed = { open: '', close: '' };

/** Brackets that are open where the piece starts are closed by it only when it starts with them. */
function frameOf(levels: readonly Level[], isInside: boolean): { open: string; close: string } {
  const close = levels.map(({ bracket }) => (bracket === '[' ? ']' : '}')).reverse();
  return { open: isInside ? (levels[0]?.bracket ?? '') : '', close: close.join('') };
}

/** Whether nothing but brackets stands before the end of `level`. */
function closes(text: string, from: number, stack: Level[], level: Level): boolean {
  for (let at = from; at < text.length && stack.includes(level); at += 1) {
    if (!/[\s\]}]/.test(text.charAt(at))) return false;
    step(text, at, stack);
  }
  return true;
}

/** The bracket to put before a piece that goes on to the end from between two parts of the whole. The text must be JSON. */
export function openItems(text: string, start: number): string {
  const stack: Level[] = [];
  const isOpen = walk(text, start, stack) === start && isBetween(text, start) && stack.length === 1;
  return isOpen ? (stack[0]?.bracket ?? '') : '';
}

/** Whether an item or a member begins here; the place must not be in a string. */
function isBetween(text: string, start: number): boolean {
  let at = start - 1;
  while (at > 0 && /\s/.test(text.charAt(at))) at -= 1;
  return text[at] === ',';
}

/** Keys and indexes of what is around the innermost of the levels. */
function pathOf(text: string, levels: readonly Level[]): string {
  const names = levels.slice(0, -1).map(({ bracket, commas, mark }) => {
    if (bracket === '[') return String(commas);
    const start = text.indexOf('"', mark);
    return JSON.parse(text.slice(start, endOfString(text, start) + 1)) as string;
  });
  return shorten(names.join('.'), longestPath);
}

/** Takes in what stands before `end`; gives where it came to, which is later when `end` lies in a string. */
function walk(text: string, end: number, stack: Level[]): number {
  let at = 0;
  for (; at < end; at += 1) at = step(text, at, stack);
  return at;
}

/** Takes one sign in; a string is jumped over. Gives the place of the last sign that was taken. */
function step(text: string, at: number, stack: Level[]): number {
  switch (text.charCodeAt(at)) {
    case 34:
      return endOfString(text, at);
    case 91:
      stack.push({ bracket: '[', commas: 0, before: 0, mark: at + 1 });
      return at;
    case 123:
      stack.push({ bracket: '{', commas: 0, before: 0, mark: at + 1 });
      return at;
    case 93:
    case 125:
      stack.pop();
      return at;
    case 44: {
      const level = stack.at(-1);
      if (level === undefined) return at;
      level.commas += 1;
      level.mark = at + 1;
      return at;
    }
    default:
      return at;
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 92) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

function choose(
  candidates: ReadonlyMap<number, Candidate>,
  start: number,
  least: number,
): Candidate | undefined {
  const outermostFirst = [...candidates].sort(([a], [b]) => a - b).map(([, candidate]) => candidate);
  const filling = outermostFirst.find(({ end }) => end - start >= least);
  return filling ?? outermostFirst.sort((a, b) => b.end - a.end)[0];
}

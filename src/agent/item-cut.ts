/** Where a JSON text can be cut between two items of an array, found without building anything. */

/** A cut behind the comma that ends `text[start…end)`. */
export interface ItemCut {
  readonly end: number;
  /** What to put before and behind the piece so that it can be read as JSON. */
  readonly open: string;
  readonly close: string;
  /** The items of the cut array that the piece holds, from 1, and how many there are. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

interface Level {
  readonly bracket: '[' | '{';
  /** Commas seen on this level. */
  commas: number;
  /** How many there were where the piece starts. */
  before: number;
}

interface Candidate {
  readonly end: number;
  readonly level: Level;
  readonly stack: readonly Level[];
  readonly to: number;
}

/** Cuts deeper inside than this are not looked for. */
const deepest = 16;

/**
 * The last cut before `limit` that fills at least `least` characters and lies in an outermost array; when none fills as
 * much, the one that fills most. The text must be JSON.
 */
export function findItemCut(text: string, start: number, limit: number, least: number): ItemCut | undefined {
  const stack: Level[] = [];
  const candidates = new Map<number, Candidate>();
  let at = walk(text, start, stack);
  // Inside a string nothing of what is open can be shown as such.
  const inString = at > start;
  const opened = [...stack];
  for (const level of stack) level.before = level.commas;
  for (; at < limit; at += 1) {
    at = step(text, at, stack);
    const level = stack.at(-1);
    if (text[at] !== ',' || level?.bracket !== '[' || stack.length > deepest) continue;
    if (at + 1 > start && at + 1 <= limit) {
      candidates.set(stack.length, { end: at + 1, level, stack: [...stack], to: level.commas });
    }
  }
  const chosen = choose(candidates, start, least);
  if (chosen === undefined) return undefined;
  return { ...frame(chosen, opened, inString), end: chosen.end, ...count(text, at, stack, chosen) };
}

/** The bracket to put before a piece that goes on to the end from between two items. The text must be JSON. */
export function openItems(text: string, start: number): string {
  const stack: Level[] = [];
  return walk(text, start, stack) === start && stack.at(-1)?.bracket === '[' ? '[' : '';
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
      stack.push({ bracket: '[', commas: 0, before: 0 });
      return at;
    case 123:
      stack.push({ bracket: '{', commas: 0, before: 0 });
      return at;
    case 93:
    case 125:
      stack.pop();
      return at;
    case 44: {
      const level = stack.at(-1);
      if (level !== undefined) level.commas += 1;
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

/** Brackets that are open where the piece starts are closed by it only when it starts with them. */
function frame(
  { stack }: Candidate,
  opened: readonly Level[],
  inString: boolean,
): { open: string; close: string } {
  const inner = opened.at(-1);
  const goesOn = !inString && inner?.bracket === '[' && stack[opened.length - 1] === inner;
  if (opened.length > 0 && !goesOn) return { open: '', close: '' };
  const own = stack.slice(goesOn ? opened.length - 1 : 0);
  const close = own.map(({ bracket }) => (bracket === '[' ? ']' : '}')).reverse();
  return { open: goesOn ? '[' : '', close: close.join('') };
}

/** Reads on to the end of the cut array, for the number of its items. */
function count(
  text: string,
  from: number,
  stack: Level[],
  { level, to }: Candidate,
): { from: number; to: number; total: number } {
  for (let at = from; at < text.length && stack.includes(level); at += 1) at = step(text, at, stack);
  return { from: level.before + 1, to, total: level.commas + 1 };
}

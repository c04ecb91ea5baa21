/** Runs the program of a pattern on a text, and stops when the steps that it was given are used up. */
import type { Program } from './pattern-program.ts';

/** Steps that may be taken; counted down. */
export interface StepBudget {
  left: number;
}

type Registers = readonly (number | undefined)[];

interface Place {
  readonly step: number;
  readonly position: number;
  readonly registers: Registers;
}

/** True when the pattern matches anywhere in the text, given as its characters; undefined when the budget ran out. */
export function runProgram(
  program: Program,
  text: readonly string[],
  budget: StepBudget,
): boolean | undefined {
  const registers: Registers = new Array<undefined>(program.registers).fill(undefined);
  // What led nowhere from one beginning leads nowhere from another.
  const seen = new Set<number>();
  for (let start = 0; start <= text.length; start++) {
    const found = search(program, text, { step: 0, position: start, registers }, budget, seen);
    if (found === beyond) return undefined;
    if (found !== undefined) return true;
  }
  return false;
}

const beyond = 'beyond';

/** Steps that copy the registers. */
const costly: ReadonlySet<string | undefined> = new Set(['save', 'forget']);

/** The registers of the first match from `start` on. */
function search(
  program: Program,
  text: readonly string[],
  start: Place,
  budget: StepBudget,
  seen: Set<number>,
): Registers | undefined | typeof beyond {
  const { steps, remembers } = program;
  const open: Place[] = [start];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    let { step: at, position, registers } = place;
    for (let going = true; going; ) {
      const step = steps[at++];
      budget.left -= costly.has(step?.do) ? 1 + registers.length / 16 : 1;
      if (budget.left < 0) return beyond;
      if (step === undefined || step.do === 'match') return registers;
      if (step.do === 'read') {
        const character = text[position++];
        going = character !== undefined && step.fits(character);
      } else if (step.do === 'split') {
        if (!remembers) {
          const key = position * steps.length + at;
          if (seen.has(key)) break;
          seen.add(key);
        }
        open.push({ step: step.second, position, registers });
        at = step.first;
      } else if (step.do === 'jump') at = step.to;
      else if (step.do === 'edge') going = isAtEdge(step.edge, text, position);
      else if (step.do === 'save') registers = registers.with(step.register, position);
      else if (step.do === 'moved') going = registers[step.register] !== position;
      else if (step.do === 'forget') {
        registers = registers.map((each, index) =>
          index < step.from || index >= step.to ? each : undefined,
        );
      } else if (step.do === 'look') {
        const found = search(program, text, { step: at, position, registers }, budget, new Set());
        if (found === beyond) return beyond;
        going = (found !== undefined) !== step.negative;
        if (found !== undefined && !step.negative) registers = found;
        at = step.after;
      } else {
        const [from, to] = [registers[2 * step.group], registers[2 * step.group + 1]];
        for (let index = from ?? 0; to !== undefined && index < to && going; index++, position++) {
          budget.left--;
          going = text[index] === text[position];
        }
      }
    }
  }
  return undefined;
}

function isAtEdge(edge: '^' | '$' | '\\b' | '\\B', text: readonly string[], position: number): boolean {
  if (edge === '^') return position === 0;
  if (edge === '$') return position === text.length;
  const isBetween = isWord(text[position - 1]) !== isWord(text[position]);
  return isBetween === (edge === '\\b');
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}

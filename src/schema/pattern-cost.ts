/** What a pattern can cost the platform at worst: it tries every way to divide a text among the parts. */
import type { PatternNode } from './pattern-parser.ts';

/** At worst `2 ** bits * length ** degree` steps on a text of that length. */
export interface PatternCost {
  /** Choices that do not depend on the text; infinite where each turn of an endless loop has choices of its own. */
  readonly bits: number;
  /** Endless loops, one after another. */
  readonly degree: number;
}

/** The bound for a whole pattern, with the places where a match may begin. */
export function costOfPattern(root: PatternNode): PatternCost {
  const { bits, degree } = costOf(root);
  return { bits, degree: degree + (isAnchored(root) ? 0 : 1) };
}

function costOf(node: PatternNode): PatternCost {
  if (node.kind === 'character' || node.kind === 'edge') return free;
  if (node.kind === 'reference') return { bits: 0, degree: 1 };
  if (node.kind === 'capture' || node.kind === 'look') return costOf(node.body);
  if (node.kind === 'sequence') {
    const parts = node.parts.map(costOf);
    return { bits: sum(parts.map(part => part.bits)), degree: sum(parts.map(part => part.degree)) };
  }
  if (node.kind === 'choice') {
    const branches = node.branches.map(costOf);
    return {
      bits: Math.log2(branches.length) + most(branches.map(branch => branch.bits)),
      degree: most(branches.map(branch => branch.degree)),
    };
  }
  const body = costOf(node.body);
  const { min, max } = node;
  if (max === 0) return free;
  const steady = body.bits === 0 && body.degree === 0;
  if (max === Number.POSITIVE_INFINITY) {
    return steady ? { bits: 0, degree: 1 } : { bits: Number.POSITIVE_INFINITY, degree: 1 };
  }
  return { bits: max * body.bits + Math.log2(max - min + 1), degree: max * body.degree };
}

const free: PatternCost = { bits: 0, degree: 0 };

function isAnchored(node: PatternNode): boolean {
  if (node.kind === 'edge') return node.edge === '^';
  if (node.kind === 'capture') return isAnchored(node.body);
  if (node.kind === 'choice') return node.branches.every(isAnchored);
  const [first] = node.kind === 'sequence' ? node.parts : [];
  return first !== undefined && isAnchored(first);
}

/** Not by spreading: there may be too many branches for the stack. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((highest, each) => Math.max(highest, each), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Lists of choices as a provider takes them: of which types, and whether an empty text may be one. */
import type { Step } from './dialect.ts';
import { hintFor } from './hints.ts';
import { distinct } from './merge.ts';
import type { Node } from './schema-index.ts';

export interface ChoiceRules {
  /** The types that may have an `enum`. */
  readonly types: readonly string[];
  readonly emptyText: boolean;
}

/** Choices that cannot be listed are told in words, those of numbers as bounds too. */
export function listChoices({ types, emptyText }: ChoiceRules): Step {
  return (node, visit) => {
    const { enum: choices, ...rest } = node;
    if (!Array.isArray(choices)) return node;
    const once = distinct(choices);
    if (types.includes(String(node['type']))) {
      const named = emptyText ? once : once.filter(choice => choice !== '');
      if (named.length < once.length) visit.lose('enum', 'the choice of an empty text is left out');
      return named.length === 0 ? rest : { ...rest, enum: named };
    }
    visit.hint(hintFor('enum', once) ?? 'one of a fixed list of values');
    visit.lose('enum', 'it is told in the description; the arguments are still checked against it');
    return { ...rest, ...boundsOf(rest, once) };
  };
}

function boundsOf({ type, minimum, maximum }: Node, choices: readonly unknown[]): Node {
  if (type !== 'number' && type !== 'integer') return {};
  const numbers = choices.filter(choice => typeof choice === 'number');
  if (numbers.length === 0 || minimum !== undefined || maximum !== undefined) return {};
  return { minimum: Math.min(...numbers), maximum: Math.max(...numbers) };
}

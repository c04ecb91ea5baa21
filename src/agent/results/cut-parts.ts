/** What of a result that is too long is shown first, and what is left to be read on, so that all comes exactly once. */
import { text } from '../../tools/content.ts';
import { pieceOf } from './cut-text.ts';
import { charactersPerToken, estimateText } from './estimate-tokens.ts';
import type { Part } from './shown-parts.ts';

/** What of a part is still to be shown. */
export interface Rest {
  readonly part: Part;
  /** The character of its text to begin at. */
  readonly start: number;
}

export interface CutParts {
  /** In order; one may be cut itself. */
  readonly shown: readonly Part[];
  /** In order. */
  readonly rest: readonly Rest[];
  /** What of a part that was cut is shown: `of part 2 only items 1 to 120 of 5000`. */
  readonly extent: string | undefined;
}

/** Parts up to this size are kept before all others while they fill no more than a tenth of the budget. */
const smallPart = 64;

/** What the notice of a cut may take; `ref` is what handles call the result. */
export function noticeTokens(ref: string): number {
  return 80 + estimateText(ref.repeat(2));
}

/** Cuts parts that are more than the budget together: small and important ones stay. The same each time. */
export function cutParts(parts: readonly Part[], maxTokens: number, ref: string): CutParts {
  let left = Math.max(0, maxTokens - noticeTokens(ref));
  let smallLeft = left / 10;
  const shown: Part[] = [];
  const others: Part[] = [];
  for (const part of byPriority(parts)) {
    if (part.tokens > smallPart || part.tokens > smallLeft) others.push(part);
    else {
      shown.push(part);
      smallLeft -= part.tokens;
      left -= part.tokens;
    }
  }
  const rest: Rest[] = [];
  let extent: string | undefined;
  for (const part of others) {
    if (part.tokens <= left) {
      shown.push(part);
      left -= part.tokens;
    } else if (part.text !== undefined && extent === undefined && left > smallPart) {
      const piece = pieceOf(part.text, 0, left * charactersPerToken - 32);
      shown.push({ ...part, block: text(piece.text), text: piece.text });
      rest.push({ part, start: piece.end });
      extent = `of part ${part.index} only ${piece.extent}`;
      left = 0;
    } else rest.push({ part, start: 0 });
  }
  return {
    shown: shown.sort((a, b) => a.index - b.index),
    rest: rest.sort((a, b) => a.part.index - b.part.index),
    extent,
  };
}

function byPriority(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => b.priority - a.priority || a.index - b.index);
}

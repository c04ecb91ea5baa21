// Written by `tenon types`. Do not edit: write it anew when the tools have changed.
import { type Catalogue, catalogue } from 'tenon/client';

/** What each tool takes, and what its structured result is. */
export interface TimberYard {
  /** How many boards of a wood are in stock. */
  readonly in_stock: {
    readonly args: {
      /** Centimetres at least. */
      readonly length?: number;
      /** Which wood. */
      readonly wood: 'oak' | 'ash';
    };
    readonly structured: { readonly boards: number };
  };
}

/** For `connect(target, { catalogue: timberYard })`: types its calls, and tells of tools that have changed. */
export const timberYard: Catalogue<TimberYard> = catalogue<TimberYard>({
  in_stock: 'a5931ec478763799',
});

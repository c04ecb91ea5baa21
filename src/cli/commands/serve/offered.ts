/** What `tenon serve` serves, and what whoever starts it reads about it. */
import type { Tool } from '../../../tools/tool.ts';

export interface Offered {
  /** What the server says of itself, but its version. */
  readonly about: { readonly name: string; readonly title?: string; readonly instructions: string };
  readonly tools: readonly Tool[];
  /** After `serves … over stdio`, on the same line. */
  readonly note: string;
  /** Further lines for whoever starts it. */
  readonly lines: readonly string[];
  /** Ends what was started meanwhile. Never rejects. */
  close(): Promise<void>;
}

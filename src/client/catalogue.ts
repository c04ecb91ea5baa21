/** A catalogue of a server's tools as a program carries it: types for the checker, fingerprints for the running client. */
import { fingerprint } from '../basics/fingerprint.ts';
import type { Catalogued } from '../protocol/tool-catalogue.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';

/** Made by the file that `tenon types` writes. `C` has a member for each tool: what it takes and what it gives. */
export interface Catalogue<C extends object> extends Catalogued<C> {
  /** The fingerprint of each tool's schemas when the file was written, by name. */
  readonly tools: Readonly<Record<string, string>>;
}

/** The catalogue with these types and fingerprints; for the files that `tenon types` writes. */
export function catalogue<C extends object>(tools: Readonly<Record<string, string>>): Catalogue<C> {
  return { tools };
}

/** What a catalogue remembers of a tool: a sign of its schemas, and of nothing that leaves its types as they are. */
export function fingerprintOf({ inputSchema, outputSchema }: ToolListing): string {
  return fingerprint([inputSchema, outputSchema ?? null]);
}

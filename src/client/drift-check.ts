/** Compares the tools that a server lists with the catalogue that a program was written against. */
import type { Diagnostic } from '../channels/channel.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';
import { fingerprintOf } from './catalogue.ts';

/** Each difference is told once, as a diagnostic of kind `tool-drift`; nothing is refused. */
export class DriftCheck {
  readonly #known: ReadonlyMap<string, string>;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #told = new Set<string>();

  constructor(known: Readonly<Record<string, string>>, report: (diagnostic: Diagnostic) => void) {
    this.#known = new Map(Object.entries(known));
    this.#report = report;
  }

  /** A list was read to its end. */
  look(listed: readonly ToolListing[]): void {
    const names = new Set<string>();
    for (const tool of listed) {
      const { name } = tool;
      names.add(name);
      const known = this.#known.get(name);
      const found = fingerprintOf(tool);
      if (known !== undefined && known !== found) this.#tell(name, found, 'has other schemas than');
    }
    for (const name of this.#known.keys()) {
      if (!names.has(name)) this.#tell(name, '', 'is gone, and stands in');
    }
  }

  #tell(name: string, found: string, what: string): void {
    const difference = `${name}\n${found}`;
    if (this.#told.has(difference)) return;
    this.#told.add(difference);
    this.#report({
      kind: 'tool-drift',
      message: `tools/list: "${name}" ${what} the catalogue of this program; write it anew with tenon types`,
    });
  }
}

/** What is left out of, or said differently in, a request because a server refuses it otherwise; found out once. */
import type { ModelError } from '../model-error.ts';
import type { Body } from './provider.ts';

export interface Concession {
  readonly code: string;
  /** What a refusal looks like that this would mend. */
  readonly blames: RegExp;
  readonly member: string;
  readonly note: string;
  /** Sent unasked, so it is suspected first when a refusal names nothing. */
  readonly unasked?: true;
  change(body: Body): Body;
}

/** Words of servers that refuse a member without naming it. */
const unspecific =
  /answered 4\d\d$|unknown (?:field|parameter|argument)|unrecognized|extra (?:fields|inputs)/i;

/** What one server was found to refuse. */
export class Concessions {
  readonly #known: readonly Concession[];
  readonly #made = new Set<string>();

  constructor(known: readonly Concession[]) {
    this.#known = known;
  }

  apply(body: Body): Body {
    let changed = body;
    for (const { code, member, change } of this.#known) {
      if (this.#made.has(code) && member in changed) changed = change(changed);
    }
    return changed;
  }

  /** The note about a further concession that may mend this failure of `body`; `undefined` when there is none. */
  makeFor(failure: ModelError, body: Body): { readonly code: string; readonly message: string } | undefined {
    if (failure.status !== 400 && failure.status !== 422) return undefined;
    const open = this.#known.filter(({ code, member }) => member in body && !this.#made.has(code));
    const blamed = open.find(({ blames }) => blames.test(failure.message));
    const suspect = open.find(({ unasked }) => unasked);
    const found = blamed ?? (unspecific.test(failure.message) ? suspect : undefined);
    if (found === undefined) return undefined;
    this.#made.add(found.code);
    return { code: found.code, message: found.note };
  }
}

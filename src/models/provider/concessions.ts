/** What is left out of, or said differently in, a request because a server refuses it otherwise; found out once. */
import type { ModelError } from '../model-error.ts';
import type { Body, Note } from './provider.ts';

export interface Concession {
  readonly code: string;
  /** What a refusal looks like that this would mend. */
  readonly blames: RegExp;
  readonly member: string;
  readonly note: string;
  /** Sent unasked, so it is suspected first when a refusal names nothing. */
  readonly unasked?: true;
  /** What of the body it is about, where another of its kind may be taken; the whole server unless said. */
  about?(body: Body): string;
  /** The body with it; the same JSON for a body that it was made in. */
  change(body: Body): Body;
}

/** Words of servers that refuse a member without naming it. */
const unspecific =
  /answered 4\d\d$|unknown (?:field|parameter|argument)|unrecognized|extra (?:fields|inputs)/i;

/** For models that have a temperature of their own. A value out of range is somebody's mistake and no such thing. */
export const temperatureDropped: Concession = {
  code: 'temperature-dropped',
  blames:
    /temperature\W.*(?:not support|unsupported|may only|deprecated|not (?:available|allowed|permitted))|unsupported (?:parameter|value)\W+temperature/i,
  member: 'temperature',
  note: 'the model takes no temperature but its own; the one that was set is left out',
  change: ({ temperature: _, ...rest }) => rest,
};

/** What one server was found to refuse. */
export class Concessions {
  readonly #known: readonly Concession[];
  readonly #held = new Set<string>();

  constructor(known: readonly Concession[]) {
    this.#known = known;
  }

  /** For one request, however often it is sent. */
  begin(): ConcessionTrial {
    return new ConcessionTrial(this.#known, this.#held);
  }
}

/** The concessions of one request. Only an answer proves them: a refusal that persists had another reason. */
export class ConcessionTrial {
  readonly #known: readonly Concession[];
  readonly #held: Set<string>;
  readonly #tried = new Map<Concession, string>();

  constructor(known: readonly Concession[], held: Set<string>) {
    this.#known = known;
    this.#held = held;
  }

  apply(body: Body): Body {
    let changed = body;
    for (const concession of this.#known) {
      const isMade = this.#tried.has(concession) || this.#held.has(keyOf(concession, body));
      if (isMade && concession.member in changed) changed = concession.change(changed);
    }
    return changed;
  }

  /**
   * Whether a further concession may mend this failure of `body`, so that it is worth sending again. One that another
   * request made meanwhile counts, as long as `body` was sent without it.
   */
  concede(failure: ModelError, body: Body): boolean {
    if (failure.status !== 400 && failure.status !== 422) return false;
    const open = this.#known.filter(one => !this.#tried.has(one) && changes(one, body));
    const blamed = open.find(({ blames }) => blames.test(failure.message));
    const suspect = open.find(({ unasked }) => unasked);
    const found = blamed ?? (unspecific.test(failure.message) ? suspect : undefined);
    if (found !== undefined) this.#tried.set(found, keyOf(found, body));
    return found !== undefined;
  }

  /** Keeps what led to an answer, for later requests too, and tells it. */
  *hold(): Generator<Note> {
    for (const [concession, key] of this.#tried) {
      this.#held.add(key);
      yield { type: 'note', code: concession.code, message: concession.note };
    }
  }
}

function keyOf({ code, about }: Concession, body: Body): string {
  return `${code} ${about?.(body) ?? ''}`;
}

function changes({ member, change }: Concession, body: Body): boolean {
  return member in body && JSON.stringify(change(body)) !== JSON.stringify(body);
}

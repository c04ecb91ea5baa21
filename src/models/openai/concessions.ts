/** What is left out of, or said differently in, a request because a server refuses it otherwise; found out once. */
import type { ModelError } from '../model-error.ts';
import type { Body } from './wire.ts';

interface Concession {
  readonly code: string;
  /** What a refusal looks like that this would mend. */
  readonly blames: RegExp;
  readonly member: string;
  readonly note: string;
  change(body: Body): Body;
}

const concessions: readonly Concession[] = [
  {
    code: 'stream-usage-dropped',
    blames: /stream_options|include_usage/i,
    member: 'stream_options',
    note: 'the server refuses stream_options; token counts may be missing',
    change: ({ stream_options: _, ...rest }) => rest,
  },
  {
    code: 'max-completion-tokens',
    blames: /max_completion_tokens/i,
    member: 'max_tokens',
    note: 'the server wants max_completion_tokens in place of max_tokens',
    change: ({ max_tokens: most, ...rest }) => ({ ...rest, max_completion_tokens: most }),
  },
  {
    code: 'response-format-dropped',
    blames: /response_format|json_schema|guided_json|structured output/i,
    member: 'response_format',
    note: 'the server refuses the output schema; the answer is only checked here',
    change: ({ response_format: _, ...rest }) => rest,
  },
];

/** Words of servers that refuse a member without naming it. */
const unspecific =
  /answered 4\d\d$|unknown (?:field|parameter|argument)|unrecognized|extra (?:fields|inputs)/i;

/** What one server was found to refuse. */
export class Concessions {
  readonly #made = new Set<string>();

  apply(body: Body): Body {
    let changed = body;
    for (const { code, member, change } of concessions) {
      if (this.#made.has(code) && member in changed) changed = change(changed);
    }
    return changed;
  }

  /** The note about a further concession that may mend this failure of `body`; `undefined` when there is none. */
  makeFor(failure: ModelError, body: Body): { readonly code: string; readonly message: string } | undefined {
    if (failure.status !== 400 && failure.status !== 422) return undefined;
    const open = concessions.filter(({ code, member }) => member in body && !this.#made.has(code));
    const blamed = open.find(({ blames }) => blames.test(failure.message));
    // Stream options are the one thing we send unasked, so they are suspected first.
    const suspect = open.find(({ member }) => member === 'stream_options');
    const found = blamed ?? (unspecific.test(failure.message) ? suspect : undefined);
    if (found === undefined) return undefined;
    this.#made.add(found.code);
    return { code: found.code, message: found.note };
  }
}

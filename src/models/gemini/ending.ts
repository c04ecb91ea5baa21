/** Why a response ended, in our words, with a note where more is to be said; pure. */
import { isObject } from '../../basics/json.ts';
import { shorten } from '../../basics/shorten.ts';
import type { FinishReason } from '../model.ts';

export interface Ending {
  readonly finish: FinishReason;
  readonly note?: { readonly code: string; readonly message: string };
}

interface Told {
  readonly reason: string;
  /** The candidate, or the feedback on the prompt. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly isPrompt: boolean;
}

const plain: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
]);

/** Reasons for which a response, or the prompt, was held back. */
const blocks: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
  'JAILBREAK',
  'ESCALATION',
  'PUP_LIMITED_DISABLED',
]);

/** A prompt that was blocked is refused, whatever the reason; an unknown reason to stop is `other`. */
export function endingOf(told: Told): Ending {
  const finish = plain.get(told.reason);
  if (finish !== undefined && !told.isPrompt) return { finish };
  const blocked = told.isPrompt || blocks.has(told.reason);
  return {
    finish: blocked ? 'refusal' : 'other',
    note: { code: blocked ? 'blocked' : 'stopped', message: describe(told, blocked) },
  };
}

function describe({ reason, about, isPrompt }: Told, blocked: boolean): string {
  const what = isPrompt ? 'the prompt' : 'the response';
  const categories = blocked ? categoriesIn(about['safetyRatings']) : [];
  const why = `${shorten(reason, 60)}${categories.length === 0 ? '' : ` (${categories.join(', ')})`}`;
  const more = about[isPrompt ? 'blockReasonMessage' : 'finishMessage'];
  const words = typeof more === 'string' && more !== '' ? `: ${shorten(more, 200)}` : '';
  return `${what} was ${blocked ? 'blocked' : 'stopped'} for ${why}${words}`;
}

/** Those that blocked, or else those that were rated above low. */
function categoriesIn(ratings: unknown): readonly string[] {
  const all = Array.isArray(ratings) ? ratings.filter(isObject) : [];
  const blocking = all.filter(({ blocked }) => blocked === true);
  const high = all.filter(({ probability }) => probability === 'HIGH' || probability === 'MEDIUM');
  return (blocking.length > 0 ? blocking : high)
    .map(({ category }) => category)
    .filter(category => typeof category === 'string')
    .map(category => shorten(category, 60));
}

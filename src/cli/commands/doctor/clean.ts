/** Texts as a report may hold them: on one line, without secrets, and without what would steer a terminal. */
import { redact } from '../../../basics/redact.ts';
import { shorten } from '../../../basics/shorten.ts';
import { plainLine } from '../../print.ts';
import { shortestSecret } from '../../server/entry-secrets.ts';

const longest = 600;

export interface Clean {
  /** For what others wrote: masks the secrets that are known, and what looks like one. */
  text(text: string): string;
  /** For what is written here, which may speak of keys: masks the known ones alone. */
  advice(text: string): string;
}

export function cleanerOf(secrets: readonly string[]): Clean {
  const known = secrets.filter(secret => secret.length >= shortestSecret);
  // Signs that cannot be seen go first: they could hide a secret.
  const tidy = (text: string): string => plainLine(text).trim();
  return {
    text: text => shorten(redact(tidy(text), known), longest),
    advice: text =>
      shorten(
        known.reduce((masked, secret) => masked.replaceAll(secret, '***'), tidy(text)),
        longest,
      ),
  };
}

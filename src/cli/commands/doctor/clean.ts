/** Texts as a report may hold them: on one line, without secrets, and without what would steer a terminal. */
import { redact } from '../../../basics/redact.ts';
import { shorten } from '../../../basics/shorten.ts';
import type { ServerEntry } from '../../../bridge/allow-list/server-entry.ts';
import { namesSecret } from '../../../channels/command-line.ts';
import { plainLine } from '../../print.ts';

const longest = 600;
/** Shorter values are words that a message may need. */
const shortest = 6;

export interface Clean {
  /** For what others wrote: masks the secrets that are known, and what looks like one. */
  text(text: string): string;
  /** For what is written here, which may speak of keys: masks the known ones alone. */
  advice(text: string): string;
}

export function cleanerOf(secrets: readonly string[]): Clean {
  const known = secrets.filter(secret => secret.length >= shortest);
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

/** Every value of the entry, and of the environment where its name says so, that must not be shown. */
export function secretsOf(
  entry: ServerEntry,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const named = Object.entries(environment).flatMap(([name, value]) =>
    namesSecret(name) ? [value ?? ''] : [],
  );
  return [...named, ...(entry.transport === 'stdio' ? secretsOfProgram(entry) : secretsOfUrl(entry))]
    .filter(value => value.length >= shortest)
    .sort((a, b) => b.length - a.length);
}

/** Every variable: nobody can tell by its name what it holds. A path is no secret, and messages need it. */
function secretsOfProgram({ args, env }: Extract<ServerEntry, { transport: 'stdio' }>): string[] {
  const values = Object.values(env).filter(value => !/^(?:~|\.{0,2}|[A-Za-z]:)[\\/][^:]*$/.test(value));
  const given = args.map((argument, at) => {
    const [, name = '', , value] = /^-{0,2}([\w.-]+)(=(.+))?$/s.exec(argument) ?? [];
    if (!namesSecret(name)) return '';
    return value ?? args[at + 1] ?? '';
  });
  return [...values, ...given];
}

function secretsOfUrl({ url, headers }: Extract<ServerEntry, { transport: 'http' }>): string[] {
  const { username, password, searchParams } = new URL(url);
  const values = Object.values(headers).flatMap(value => [value, ...partsOf(value)]);
  return [...values, decoded(username), decoded(password), ...searchParams.values()];
}

/** A scheme such as `Bearer` is none of them. */
function partsOf(value: string): string[] {
  return value.split(/[\s;,]+|(?<==)/).filter(part => part.length > shortest + 1);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

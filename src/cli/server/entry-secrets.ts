/** What must not be shown of a server's entry and of the environment: the values that a server may say again. */
import { namesSecret, variableHoldsSecret } from '../../basics/secret-names.ts';
import { type ServerEntry, valuesFilledIn } from '../../bridge/allow-list/server-entry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter values are words that a message may need. */
export const shortestSecret = 6;

/** Every value of the entry, and of the environment where its name says so; longer ones first. */
export function secretsOf(entry: ServerEntry, environment: Environment): readonly string[] {
  const own = entry.transport === 'stdio' ? secretsOfProgram(entry) : secretsOfUrl(entry);
  return inOrder([
    ...secretsOfEnvironment(environment),
    ...own,
    ...valuesFilledIn(entry).filter(mayBeSecret),
  ]);
}

export function secretsOfEnvironment(environment: Environment): readonly string[] {
  return inOrder(
    Object.entries(environment).flatMap(([name, value]) => (variableHoldsSecret(name) ? [value ?? ''] : [])),
  );
}

/** One may be part of another. */
function inOrder(values: readonly string[]): readonly string[] {
  return values.filter(value => value.length >= shortestSecret).sort((a, b) => b.length - a.length);
}

/** A path is no secret, and messages need it. */
function mayBeSecret(value: string): boolean {
  return !/^(?:~|\.{0,2}|[A-Za-z]:)[\\/][^:]*$/.test(value);
}

/** Every variable: nobody can tell by its name what it holds. */
function secretsOfProgram({ args, env }: Extract<ServerEntry, { transport: 'stdio' }>): readonly string[] {
  const values = Object.values(env).filter(mayBeSecret);
  const given = args.map((argument, at) => {
    const [, name = '', , value] = /^-{0,2}([\w.-]+)(=(.+))?$/s.exec(argument) ?? [];
    if (!namesSecret(name)) return '';
    return value ?? args[at + 1] ?? '';
  });
  return [...values, ...given];
}

function secretsOfUrl({ url, headers }: Extract<ServerEntry, { transport: 'http' }>): readonly string[] {
  const { username, password, searchParams } = new URL(url);
  const values = Object.values(headers).flatMap(value => [value, ...partsOf(value)]);
  return [...values, decoded(username), decoded(password), ...searchParams.values()];
}

/** A scheme such as `Bearer` is none of them. */
function partsOf(value: string): readonly string[] {
  return value.split(/[\s;,]+|(?<==)/).filter(part => part.length > shortestSecret + 1);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

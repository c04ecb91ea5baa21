/** Reads what a configuration says of one server, in the words that people and editors use for it. */
import { isObject } from '../../basics/json.ts';
import { fillIn, type Surroundings } from './variables.ts';

/** A server as it can be connected to. */
export type ServerEntry =
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly transport: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

const filledIn = new WeakMap<ServerEntry, readonly string[]>();

/** What variables of the environment have put into an entry: it may be secret, whatever it is called there. */
export function valuesFilledIn(entry: ServerEntry): readonly string[] {
  return filledIn.get(entry) ?? [];
}

/** Thrown for an entry that cannot be used; the message begins with the field. */
export class EntryFault extends Error {}

const commandWords = ['command', 'cmd'];
const urlWords = ['url', 'serverUrl', 'httpUrl', 'endpoint'];
const typeWords = ['type', 'transport', 'transportType'];

const typesOf: Readonly<Record<ServerEntry['transport'], readonly string[]>> = {
  stdio: ['stdio', 'local'],
  http: ['http', 'https', 'sse', 'streamable-http', 'streamablehttp', 'streamable_http', 'remote'],
};

/** Reads an entry and fills in its variables. Throws an `EntryFault` that names the field. */
export function readEntry(raw: unknown, surroundings: Surroundings): ServerEntry {
  if (!isObject(raw)) throw new EntryFault(`must be an object, is ${kindOf(raw)}`);
  const read = new Fields(raw, surroundings);
  const kept = <Entry extends ServerEntry>(entry: Entry): Entry => {
    filledIn.set(entry, read.values);
    return entry;
  };
  // One editor keeps the command and its arguments in an object of their own.
  if (isObject(raw['command'])) return readEntry({ ...raw, ...nested(raw['command']) }, surroundings);
  const command = read.text(commandWords);
  const url = read.text(urlWords);
  const transport = transportOf(read.text(typeWords), command, url);
  if (transport === 'http') {
    if (url === undefined) throw new EntryFault('has no "url"');
    checkUrl(url);
    return kept({ transport, url, headers: read.texts('headers') });
  }
  if (command === undefined) throw new EntryFault('has neither a "command" nor a "url"');
  const cwd = read.text(['cwd', 'workingDirectory']);
  return kept({
    transport,
    command,
    args: read.list('args'),
    env: read.texts('env'),
    ...(cwd === undefined ? {} : { cwd }),
  });
}

function nested({ path, ...others }: Readonly<Record<string, unknown>>): object {
  return { ...others, command: path };
}

function transportOf(
  type: string | undefined,
  command: string | undefined,
  url: string | undefined,
): ServerEntry['transport'] {
  const [found] =
    Object.entries(typesOf).find(([, names]) => names.includes(type?.toLowerCase() ?? '')) ?? [];
  if (found !== undefined) return found as ServerEntry['transport'];
  if (type !== undefined) {
    throw new EntryFault(`type must be "stdio" or "http", is ${JSON.stringify(type.slice(0, 40))}`);
  }
  if (command !== undefined && url !== undefined) {
    throw new EntryFault('has both a "command" and a "url"; say which by "type"');
  }
  return url === undefined ? 'stdio' : 'http';
}

function checkUrl(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new EntryFault('url must begin with http:// or https:// and be a whole URL');
}

/** The fields of an entry, checked and filled in. */
class Fields {
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #surroundings: Surroundings;
  /** Those that came from the environment; grows. */
  readonly values: string[] = [];

  constructor(raw: Readonly<Record<string, unknown>>, surroundings: Surroundings) {
    this.#raw = raw;
    this.#surroundings = surroundings;
  }

  /** The first of these that is there. */
  text(names: readonly string[]): string | undefined {
    const name = names.find(each => this.#raw[each] !== undefined && this.#raw[each] !== null);
    if (name === undefined) return undefined;
    const value = this.#filled(name, this.#raw[name]);
    if (value.trim() === '') throw new EntryFault(`${name} is empty`);
    return value;
  }

  list(name: string): string[] {
    const value = this.#raw[name] ?? [];
    if (!Array.isArray(value)) throw new EntryFault(`${name} must be an array, is ${kindOf(value)}`);
    return value.map((each, index) => this.#filled(`${name}[${index}]`, each));
  }

  texts(name: string): Readonly<Record<string, string>> {
    const value = this.#raw[name] ?? {};
    if (!isObject(value)) throw new EntryFault(`${name} must be an object, is ${kindOf(value)}`);
    const given = Object.entries(value).filter(([, each]) => each !== null);
    return Object.fromEntries(given.map(([key, each]) => [key, this.#filled(`${name}.${key}`, each)]));
  }

  #filled(field: string, value: unknown): string {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    if (typeof text !== 'string') throw new EntryFault(`${field} must be a string, is ${kindOf(value)}`);
    const filled = fillIn(text, this.#surroundings);
    if (!filled.ok) throw new EntryFault(`${field} ${filled.reason}`);
    this.values.push(...filled.values);
    return filled.text;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** What may stand where the cursor is: commands, options, and what their help says that goes there. */
import type { ParseArgsConfig } from 'node:util';
import type { Command } from '../../command.ts';
import { type HelpedOption, optionsIn, wordsIn } from './read-help.ts';

export interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** Candidates, or that the shell knows better: names of files, folders or programs. */
export type Completion = readonly Candidate[] | 'files' | 'folders' | 'commands';

/** What was typed before the cursor, as far as it tells what may follow. */
export interface Typed {
  /** Words of the command that are no options. */
  readonly words: readonly string[];
  /** The file of `--config`. */
  readonly config: string | undefined;
}

/** What stands in help for a word or a value, and where such are known from. */
export type Sources = Readonly<Record<string, (typed: Typed) => Completion>>;

export interface CompletionFacts {
  readonly commands: Readonly<
    Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>
  >;
  readonly sources: Sources;
}

/** `words` are those from the program's own name on; the last one is completed. */
export async function complete(words: readonly string[], facts: CompletionFacts): Promise<Completion> {
  const [name, ...rest] = words.slice(1);
  const current = rest.at(-1);
  const known = (): Candidate[] =>
    Object.entries(facts.commands).map(([value, { summary: about }]) => ({ value, about }));
  if (name === undefined) return [];
  if (current === undefined) {
    return fitting(name, name.startsWith('-') ? generalOptions : known());
  }
  const entry = Object.hasOwn(facts.commands, name) ? facts.commands[name] : undefined;
  if (entry === undefined) return [];
  return completeIn(await entry.load(), rest.slice(0, -1), current, facts.sources);
}

const generalOptions: readonly Candidate[] = [
  { value: '--help', about: 'Show help' },
  { value: '--version', about: 'Show the version' },
];

function completeIn(
  command: Command,
  before: readonly string[],
  current: string,
  sources: Sources,
): Completion {
  if (before.includes('--')) {
    return before.at(-1) === '--' && command.operands.commandLine ? 'commands' : 'files';
  }
  const options = optionsOf(command);
  const typed = readTyped(before, options);
  const from = (place: string | undefined): Completion => valuesFor(place, typed, sources);
  const [, assigned, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  if (assigned !== undefined && value !== undefined) {
    const found = fitting(value, from(find(options, assigned)?.value));
    return typeof found === 'string'
      ? found
      : found.map(each => ({ ...each, value: `${assigned}=${each.value}` }));
  }
  const open = find(options, before.at(-1) ?? '');
  if (open !== undefined && takesValue(open)) return fitting(current, from(open.value));
  if (current.startsWith('-')) {
    return fitting(
      current,
      options.map(({ name, about }) => ({ value: name, about })),
    );
  }
  const places = wordsIn(command.help);
  const last = places.at(-1);
  return fitting(
    current,
    from(places[typed.words.length] ?? (last?.endsWith('…') === true ? last : undefined)),
  );
}

interface KnownOption extends HelpedOption {
  readonly rule: NonNullable<ParseArgsConfig['options']>[string];
}

/** All of them, with what the help says of those that have a line in it. */
function optionsOf({ options, help }: Command): KnownOption[] {
  const told = optionsIn(help);
  const rules = Object.entries({ ...options, help: { type: 'boolean', short: 'h' } as const });
  return rules.map(([key, rule]) => {
    const name = `--${key}`;
    return { name, about: '', ...told.find(each => each.name === name), rule };
  });
}

function find(options: readonly KnownOption[], word: string): KnownOption | undefined {
  return options.find(({ name, rule }) => name === word || `-${rule.short}` === word);
}

const takesValue = ({ rule }: KnownOption): boolean => rule.type === 'string';

function readTyped(before: readonly string[], options: readonly KnownOption[]): Typed {
  const words: string[] = [];
  let config: string | undefined;
  for (const [index, word] of before.entries()) {
    const open = find(options, before[index - 1] ?? '');
    if (open !== undefined && takesValue(open)) {
      if (open.name === '--config') config = word;
    } else if (word.startsWith('--config=')) config = word.slice('--config='.length);
    else if (!word.startsWith('-') || word === '-') words.push(word);
  }
  return { words, config };
}

/** `one|two` stands for itself, another word for what is known under it. */
function valuesFor(place: string | undefined, typed: Typed, sources: Sources): Completion {
  if (place === undefined) return [];
  if (place.includes('|')) return place.split('|').map(value => ({ value, about: '' }));
  return Object.hasOwn(sources, place) ? (sources[place]?.(typed) ?? []) : [];
}

function fitting(current: string, found: Completion): Completion {
  return typeof found === 'string' ? found : found.filter(({ value }) => value.startsWith(current));
}

/** Splits what was typed for a command into options, words, and the command line after `--`. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggest } from '../schema/suggest.ts';
import { type Command, type Given, UsageError } from './command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

const help: Options = { help: { type: 'boolean', short: 'h' } };

/** Options that stand before the name of a command. Throws a `UsageError` for any other. */
export function readOptions(args: readonly string[], options: Options): Given['values'] {
  return parse(args, { ...options, ...help }, 'tenon').values;
}

/** What was typed after the name of a command. Throws a `UsageError` for what the command does not take. */
export function readGiven(name: string, command: Command, args: readonly string[]): Given {
  const see = `tenon ${name}`;
  const dashes = args.indexOf('--');
  const before = dashes === -1 ? args : args.slice(0, dashes);
  const { values, positionals } = parse(before, { ...command.options, ...help }, see);
  if (values['help'] === true) return { values, words: [] };
  const { most, commandLine } = command.operands;
  const extra = positionals[most];
  if (extra !== undefined) {
    const takes =
      most === 0 ? 'takes no words' : `takes ${most === 1 ? 'one word' : `${most} words`} at most`;
    const hint = commandLine ? '; a program and its arguments go after --' : '';
    throw new UsageError(`${see} ${takes}, so ${JSON.stringify(extra)} is too many${hint}. ${seeHelp(see)}`);
  }
  if (dashes === -1) return { values, words: positionals };
  const rest = args.slice(dashes + 1);
  if (!commandLine) throw new UsageError(`${see} takes nothing after --. ${seeHelp(see)}`);
  if (rest[0] === '') {
    throw new UsageError(`the program after -- has an empty name. ${seeHelp(see)}`);
  }
  if (rest.length === 0) {
    throw new UsageError(
      `nothing stands after --; give the program that serves and its arguments. ${seeHelp(see)}`,
    );
  }
  return { values, words: positionals, commandLine: rest };
}

/** Where help is found, as the last sentence of a refusal. */
export function seeHelp(command: string): string {
  return `See ${command} --help`;
}

function parse(
  args: readonly string[],
  options: Options,
  see: string,
): { values: Given['values']; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    // Node explains at length how a word that begins with a dash could be passed.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\.?\n|\.$/, 1);
    throw new UsageError(`${reason}${meantOf(reason, options)} ${seeHelp(see)}`);
  }
}

/** The end of the sentence: which option was meant, where one comes near. */
function meantOf(reason: string, options: Options): string {
  const [, unknown = ''] = /^Unknown option '--([^']*)'/.exec(reason) ?? [];
  const meant = suggest(unknown, Object.keys(options));
  return meant === undefined ? '.' : `; did you mean --${meant}?`;
}

/** A command line as people read it: quoted, shortened, and without what looks like a secret. */
import { namesSecret } from '../basics/secret-names.ts';

/** What identifies a command; `cwd` only where it was given. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
}

const mask = '***';
const longest = 200;

/** Values that say themselves what they are: keys of well-known forms. */
const secretValue =
  /\b(?:sk-[\w-]{8,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)/g;

/**
 * The command line in one line of at most about 200 characters, the same for the same input. Values of options that
 * name a secret, and keys of well-known forms, are shown as `***`; what is cut is told apart by a short checksum.
 */
export function showCommandLine(line: CommandLine): string {
  const words = [line.command, ...maskArguments(line.args)].map(quoteWord);
  const whole = line.cwd === undefined ? words.join(' ') : `${words.join(' ')} (in ${line.cwd})`;
  if (whole.length <= longest) return whole;
  return `${whole.slice(0, longest)}… #${checksum(whole)}`;
}

/** The arguments with every apparent secret replaced. */
function maskArguments(args: readonly string[]): string[] {
  let next = false;
  return args.map(argument => {
    if (next && !/^-./.test(argument)) {
      next = false;
      return mask;
    }
    next = isSecretOption(argument);
    return maskWord(argument);
  });
}

/** An option such as `--api-key` whose value is the next argument. */
function isSecretOption(argument: string): boolean {
  return (
    /^-{1,2}[a-z]/i.test(argument) && !/[=:\s]/.test(argument) && namesSecret(argument.replace(/^-+/, ''))
  );
}

function maskWord(word: string): string {
  const assignment = /^(-{0,2})([\w.-]+)=(.+)$/s.exec(word);
  if (assignment !== null && namesSecret(assignment[2] ?? '')) {
    return `${assignment[1] ?? ''}${assignment[2] ?? ''}=${mask}`;
  }
  return word
    .replace(/^([\w-]+)(:\s*)(.+)$/s, (all, name: string, colon: string) =>
      namesSecret(name) ? `${name}${colon}${mask}` : all,
    )
    .replace(/\b(bearer|basic)(\s+)\S+/gi, `$1$2${mask}`)
    .replace(/(:\/\/)[^/@\s]+@/g, `$1${mask}@`)
    .replace(/([?&])([\w.-]+)=([^&#\s]+)/g, (all, before: string, name: string) =>
      namesSecret(name) ? `${before}${name}=${mask}` : all,
    )
    .replace(secretValue, mask);
}

function quoteWord(word: string): string {
  return word !== '' && !/[\s"'\\]/.test(word) ? word : JSON.stringify(word);
}

/** 32 bits of FNV-1a: enough to tell two long command lines apart. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * Windows: how a command found on the PATH is started without a shell, and how its process tree is ended. Pure: what is
 * here are file names and argument lists.
 */

/** What to hand to `spawn`; with `verbatim`, `args` are joined by spaces and not quoted again. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

/**
 * The invocation for an absolute `file`. Batch files cannot be started by themselves, so the command interpreter runs
 * them, with every argument quoted such that nothing in it is a command, a variable or a redirection; throws a
 * `TypeError` for an argument that cannot be passed so.
 */
export function invokeOnWindows(
  file: string,
  args: readonly string[],
  comspec: string | undefined,
): Invocation {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const line = [`"${file}"`, ...args.map(quoteForBatch)].join(' ');
  // /d: no AutoRun; /e:on: %cd:~,% works; /v:off: an exclamation mark is only that; /s: the outer quotes go, no others.
  return {
    file: comspec || 'cmd.exe',
    args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`],
    verbatim: true,
  };
}

/**
 * One argument, always in quotes: there `& | < > ^ ( )` stand for themselves, also when the batch file hands its
 * arguments on. Quotes are doubled, backslashes before a quote too, as programs undo both.
 */
function quoteForBatch(argument: string): string {
  if (/[\r\n]/.test(argument)) {
    throw new TypeError(
      'args: an argument with a line break cannot be passed to a .cmd or .bat file; give the program behind it as the command.',
    );
  }
  const quoted = argument.replace(/(\\*)("|$)/g, (_all, slashes: string, quote: string) =>
    quote === '' ? slashes + slashes : `${slashes}${slashes}""`,
  );
  // A percent sign cannot be escaped: it is set before a variable that is always there and of which nothing is taken.
  return `"${quoted.replaceAll('%', '%%cd:~,%')}"`;
}

/** The command that asks (`force` false) or makes a process and all its descendants end. */
export function endTreeOnWindows(pid: number, force: boolean, systemRoot: string | undefined): Invocation {
  const file = systemRoot ? `${systemRoot}\\System32\\taskkill.exe` : 'taskkill.exe';
  return { file, args: ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])], verbatim: false };
}

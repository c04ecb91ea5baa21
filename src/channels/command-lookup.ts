/** Finding what a command names: PATH on POSIX, PATH and PATHEXT on Windows; pure, the file system is passed in. */

/** What stands at a path. */
export type Standing = 'executable' | 'not-executable' | 'directory' | 'absent';

export interface Lookup {
  readonly command: string;
  /** Absolute; relative commands and relative PATH entries are taken from here. */
  readonly cwd: string;
  readonly platform: string;
  /** The environment the command will get; its PATH is the one that counts. */
  readonly env: Readonly<Record<string, string>>;
  /** Looks at an absolute path. */
  probe(path: string): Standing;
}

/** The outcome: the file that would run, or what was found instead, and where it was looked for. */
export interface Found {
  readonly file: string | undefined;
  /** A file of that name that may not be executed. */
  readonly refused: string | undefined;
  /** The directories of the PATH that was searched; empty when the command is itself a path. */
  readonly searched: readonly string[];
}

/** What a shell and the system search when PATH is not set at all. */
const posixDefault = '/usr/bin:/bin';
const windowsExtensions = '.COM;.EXE;.BAT;.CMD';

/** Finds the file that `command` names. */
export function findCommand(lookup: Lookup): Found {
  const windows = lookup.platform === 'win32';
  const isPath = windows ? /[\\/:]/.test(lookup.command) : lookup.command.includes('/');
  const searched = isPath ? [] : searchPath(lookup, windows);
  const places = isPath
    ? [absolute(lookup.command, lookup.cwd, windows)]
    : searched.map(directory => join(absolute(directory, lookup.cwd, windows), lookup.command, windows));
  let refused: string | undefined;
  for (const place of places) {
    for (const candidate of windows ? withExtensions(place, lookup.env) : [place]) {
      const standing = lookup.probe(candidate);
      if (standing === 'executable') return { file: candidate, refused, searched };
      if (standing !== 'absent') refused ??= candidate;
    }
  }
  return { file: undefined, refused, searched };
}

/** The value of a variable; on Windows names differ by more than case. */
export function readVariable(
  env: Readonly<Record<string, string>>,
  name: string,
  platform: string,
): string | undefined {
  if (platform !== 'win32') return env[name];
  const wanted = name.toUpperCase();
  return Object.entries(env).find(([key]) => key.toUpperCase() === wanted)?.[1];
}

function searchPath(lookup: Lookup, windows: boolean): string[] {
  const path = readVariable(lookup.env, 'PATH', lookup.platform);
  if (!windows) return (path ?? posixDefault).split(':').map(entry => (entry === '' ? '.' : entry));
  const entries = (path ?? '').split(';').map(entry => entry.replace(/^"(.*)"$/, '$1'));
  // Unlike POSIX, Windows looks into the current directory first.
  return ['.', ...entries.filter(entry => entry !== '')];
}

function withExtensions(place: string, env: Readonly<Record<string, string>>): string[] {
  const extensions = (readVariable(env, 'PATHEXT', 'win32') || windowsExtensions)
    .split(';')
    .filter(extension => extension.startsWith('.'));
  const lower = place.toLowerCase();
  const complete = extensions.some(extension => lower.endsWith(extension.toLowerCase()));
  const extended = extensions.map(extension => place + extension.toLowerCase());
  // A bare name is never run as it is: beside `npx.cmd` lies `npx`, a script for other shells.
  return complete ? [place, ...extended] : extended;
}

function absolute(path: string, cwd: string, windows: boolean): string {
  const rooted = windows ? /^(?:[a-z]:)?[\\/]/i.test(path) : path.startsWith('/');
  if (rooted) return path;
  const relative = path.replace(windows ? /^\.[\\/]/ : /^\.\//, '');
  return relative === '.' ? cwd : join(cwd, relative, windows);
}

function join(directory: string, name: string, windows: boolean): string {
  const separator = windows ? '\\' : '/';
  const ends = directory.endsWith('/') || (windows && directory.endsWith('\\'));
  return ends ? directory + name : directory + separator + name;
}

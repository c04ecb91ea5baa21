/** What `stdio` is told, checked once: a mistake is a `TypeError` that names the field. */
import type { Inherit } from './child-environment.ts';
import type { Grace } from './child-ladder.ts';

/** How a server is started and ended. */
export interface StdioOptions {
  /** The program: a name that is looked up on the PATH, or a path. No shell reads it. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** The working directory; ours unless given. */
  readonly cwd?: string | undefined;
  /**
   * Variables for the server, on top of what it inherits; `undefined` takes one away. `TENON_CHILD` is ours: by it those
   * are found and ended whom the server started and let go.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * What it inherits of our environment. `safe` (default): PATH, HOME, locale, temporary directories and the like, no
   * secrets; a list of names: these beside the safe ones; `all`: everything.
   */
  readonly inheritEnv?: Inherit | undefined;
  /** Where its stderr goes; the last 8 KiB are kept for errors in every case but `inherit`. Default `ignore`. */
  readonly stderr?: 'ignore' | 'inherit' | ((chunk: string) => void) | undefined;
  /** Milliseconds that closing waits: after the end of its stdin (3,000), and after TERM (2,000). Then comes KILL. */
  readonly grace?: { readonly end?: number | undefined; readonly term?: number | undefined } | undefined;
  /** The most bytes that one line of its output may have; 32 MiB unless given. */
  readonly lineLimit?: number | undefined;
}

/** The options with every default filled in; a copy that nobody changes. */
export interface StdioSettings {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inheritEnv: Inherit;
  readonly stderr: 'ignore' | 'inherit' | ((chunk: string) => void);
  readonly grace: Grace;
  readonly lineLimit: number;
}

/** Checks and completes the options; throws a `TypeError`. */
export function readStdioOptions(options: StdioOptions): StdioSettings {
  const { command, args = [], cwd, env = {}, inheritEnv = 'safe', stderr = 'ignore', grace = {} } = options;
  checkText('command', command);
  if (command.trim() === '') fail('command', 'must name a program, got a blank text');
  if (!Array.isArray(args)) fail('args', `must be an array of strings, got ${typeof args}`);
  args.forEach((argument, index) => {
    checkText(`args[${index}]`, argument);
  });
  if (cwd !== undefined) {
    checkText('cwd', cwd);
    if (cwd === '') fail('cwd', 'must be a directory, got an empty text; leave it out for the current one');
  }
  checkEnvironment(env);
  if (inheritEnv !== 'safe' && inheritEnv !== 'all') checkNames(inheritEnv);
  if (stderr !== 'ignore' && stderr !== 'inherit' && typeof stderr !== 'function') {
    fail('stderr', `must be 'ignore', 'inherit' or a function, got ${JSON.stringify(stderr)}`);
  }
  return {
    command,
    args: [...args],
    cwd,
    env: { ...env },
    inheritEnv: typeof inheritEnv === 'string' ? inheritEnv : [...inheritEnv],
    stderr,
    grace: {
      end: readNumber('grace.end', grace.end, 3000, 0),
      term: readNumber('grace.term', grace.term, 2000, 0),
    },
    lineLimit: readNumber('lineLimit', options.lineLimit, 32 * 1024 * 1024, 1),
  };
}

function checkEnvironment(env: unknown): void {
  if (typeof env !== 'object' || env === null || Array.isArray(env)) {
    fail('env', 'must be an object of names and values, such as { API_URL: "…" }');
  }
  for (const [name, value] of Object.entries(env)) {
    checkName('env', name);
    // The value is not shown: it may be a secret.
    if (value !== undefined) checkText(`env[${JSON.stringify(name)}]`, value);
  }
}

function checkNames(names: unknown): void {
  if (!Array.isArray(names))
    fail('inheritEnv', `must be 'safe', 'all' or an array of names, got ${JSON.stringify(names)}`);
  names.forEach((name, index) => {
    checkText(`inheritEnv[${index}]`, name);
    checkName('inheritEnv', name);
  });
}

function checkName(field: string, name: string): void {
  if (name === '' || /[=\0]/.test(name)) {
    fail(
      field,
      `a variable's name must not be empty and must not hold "=" or NUL, got ${JSON.stringify(name)}`,
    );
  }
}

function checkText(field: string, value: unknown): asserts value is string {
  if (typeof value !== 'string')
    fail(field, `must be a string, got ${value === null ? 'null' : typeof value}`);
  if (value.includes('\0')) fail(field, 'must not hold a NUL character; no system can pass one on');
}

function readNumber(field: string, value: unknown, otherwise: number, least: number): number {
  if (value === undefined) return otherwise;
  if (typeof value === 'number' && value >= least) return value;
  return fail(
    field,
    `must be a number of at least ${least}, got ${typeof value === 'number' ? value : typeof value}`,
  );
}

function fail(field: string, why: string): never {
  throw new TypeError(`stdio: ${field}: ${why}`);
}

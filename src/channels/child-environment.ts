/** Which variables of our environment a child gets: a safe base unless more is asked for, and the caller's on top. */

/** `safe`: what programs need to run and nothing that is usually secret; `all`; or the names to pass on beside `safe`. */
export type Inherit = 'safe' | 'all' | readonly string[];

type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentOptions {
  readonly platform: string;
  /** Our own environment. */
  readonly from: Environment;
  readonly inherit: Inherit;
  /** The caller's variables; `undefined` takes one away. */
  readonly own: Environment;
}

const posix: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TZ', 'LANG', 'LANGUAGE', 'TMPDIR', 'TMP', 'TEMP'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  // Where certificates are: paths, and without them nothing is reached behind some proxies.
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', '__CF_USER_TEXT_ENCODING'],
];

const windows: readonly string[] = [
  ...['PATH', 'PATHEXT', 'COMSPEC', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'OS', 'TEMP', 'TMP', 'LANG', 'TZ'],
  ...['HOME', 'HOMEDRIVE', 'HOMEPATH', 'USERPROFILE', 'USERNAME', 'USERDOMAIN', 'COMPUTERNAME', 'PUBLIC'],
  ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'ALLUSERSPROFILE', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
  ...['PROGRAMW6432', 'COMMONPROGRAMFILES', 'COMMONPROGRAMFILES(X86)', 'COMMONPROGRAMW6432', 'PSMODULEPATH'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'PROCESSOR_IDENTIFIER'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];

/** The child's environment. On Windows a name is the same in upper and lower case, and the last one given wins. */
export function childEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { platform, from, inherit, own } = options;
  const fold =
    platform === 'win32' ? (name: string): string => name.toUpperCase() : (name: string): string => name;
  const passes = inheritance(platform, inherit, fold);
  const chosen = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && passes(name, value)) chosen.set(fold(name), [name, value]);
  }
  for (const [name, value] of Object.entries(own)) {
    chosen.delete(fold(name));
    if (value !== undefined) chosen.set(fold(name), [name, value]);
  }
  return Object.fromEntries(chosen.values());
}

function inheritance(
  platform: string,
  inherit: Inherit,
  fold: (name: string) => string,
): (name: string, value: string) => boolean {
  if (inherit === 'all') return () => true;
  const names = new Set(platform === 'win32' ? windows : posix);
  const asked = new Set(inherit === 'safe' ? [] : inherit.map(fold));
  return (name, value) => {
    const folded = fold(name);
    if (asked.has(folded)) return true;
    // An exported shell function is code; nobody means to pass it on.
    return (names.has(folded) || name.startsWith('LC_')) && !value.startsWith('()');
  };
}

/** Which source file becomes part of which JavaScript file: one table, and the pure functions that read it. */
// @ts-check

/**
 * Named bundles, most telling rule first: a file belongs to the first row that matches it. `*` stands for one path
 * segment and is put into the bundle's name where `$1` stands. A bundle is one file under `dist/bundles/`, loads the
 * others by import, and holds the only copy of its classes. A file without a row fails the build.
 * @type {readonly (readonly [bundle: string, ...patterns: string[]])[]}
 */
const table = [
  // What comes with the first value that is judged.
  [
    'judge',
    'schema/alternatives.ts',
    'schema/issues.ts',
    'schema/judge.ts',
    'schema/lookup.ts',
    'schema/multiple.ts',
    'schema/pattern*.ts',
    'schema/phrases.ts',
    'schema/present.ts',
    'schema/rule*.ts',
    'schema/scalars.ts',
  ],
  [
    'kernel',
    'basics/**',
    'rpc/**',
    'schema/**',
    'tools/**',
    'protocol/**',
    'channels/channel.ts',
    'channels/memory.ts',
    'channels/unprintable.ts',
    'channels/unread-answer.ts',
    // What both halves of the eras share; a program loads its own half beside it.
    'eras/index.ts',
    'eras/asked-keys.ts',
    'eras/era*.ts',
    'eras/not-found.ts',
    'eras/running-call.ts',
    'eras/versions.ts',
    'eras/watchers.ts',
    'eras/handshake/revisions.ts',
    'eras/handshake/watch.ts',
    'eras/stateless/envelope.ts',
    'eras/stateless/header*.ts',
    'eras/stateless/watch.ts',
  ],
  ['oauth', 'client/auth/**'],
  [
    'client',
    'client/**',
    'eras/for-clients.ts',
    'eras/answering.ts',
    'eras/connect-deadline.ts',
    'eras/link.ts',
    'eras/negotiate.ts',
    'eras/notices.ts',
    'eras/probe.ts',
    'eras/question-turns.ts',
    'eras/read-result.ts',
    'eras/verdict.ts',
    'eras/with-meta.ts',
    'eras/*/client*.ts',
    'eras/stateless/rounds.ts',
  ],
  // What only servers over HTTP load.
  [
    'http',
    'server/over-http.ts',
    'eras/for-http-servers.ts',
    'eras/http.ts',
    'eras/post-reply.ts',
    'eras/handshake/event-endpoints.ts',
    'eras/handshake/http*.ts',
    'eras/handshake/post.ts',
    'eras/handshake/sessionless.ts',
    'eras/handshake/sessions.ts',
    'eras/handshake/standing-streams.ts',
    'eras/handshake/trail.ts',
    'eras/stateless/http.ts',
    'channels/http-server*.ts',
    'channels/http-web*.ts',
    'channels/sse*.ts',
  ],
  ['server', 'server/**', 'eras/**'],
  ['stdio', 'channels/stdio-*.ts', 'channels/child*.ts', 'channels/command-*.ts'],
  ['node-http', 'channels/node-http*.ts'],
  ['http-client', 'channels/http-client*.ts', 'channels/http-sse-client.ts', 'channels/http-transport*.ts'],
  ['http', 'channels/http-*.ts', 'channels/sse*.ts'],
  ['model-$1', 'models/*/**'],
  ['agent', 'projection/**', 'models/*.ts', 'agent/**', 'patterns/**'],
  ['bridge', 'bridge/**'],
  ['testing', 'testing/**'],
  ['otel', 'otel/**', 'otel.ts'],
  ['skill-folder', 'extensions/skills/skill-folder.ts'],
  ['extension-$1', 'extensions/*/**', 'extensions/*.ts'],
  ['adapter-$1', 'adapters/*/**', 'adapters/*.ts'],
  ['vendor-$1', 'vendor/*.ts'],
  ['command-$1', 'cli/commands/*/**', 'cli/commands/*.ts'],
  ['cli-server', 'cli/server/**'],
  ['cli-asking', 'cli/asking/**'],
  ['cli-content', 'cli/content/**'],
  ['cli-listing', 'cli/listing/**'],
  ['cli-session', 'cli/session/**'],
  ['recording', 'cli/recording/**'],
  ['cli', 'cli/**'],
];

/**
 * What a bundle has a copy of: small functions without state. With copies of all that it needs, a bundle that is loaded
 * later shares no code with the others, and a bundler that splits programs keeps what they load at start in one file.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const copies = {
  'bundles/judge': [
    'basics/json.ts',
    'basics/outline.ts',
    'schema/expression.ts',
    'schema/fixed-phrases.ts',
    'schema/named-types.ts',
    'schema/own.ts',
    'schema/suggest.ts',
    'schema/type-tests.ts',
    'schema/verdict.ts',
  ],
};

/** Every file that some bundle has a copy of. */
export const copiedFiles = Object.values(copies).flat();

const rules = table.flatMap(([bundle, ...patterns]) =>
  patterns.map(pattern => ({ bundle, match: matcher(pattern) })),
);

/** @param {string} pattern */
function matcher(pattern) {
  const parts = pattern.split(/(\*\*|\*)/).map(part => {
    if (part === '**') return '.+';
    return part === '*' ? '([^/]*?)' : part.replace(/[.\\+?^${}()|[\]]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** The bundle of a source file (a path from `src/`), or undefined when no row names it. @param {string} path @returns {string | undefined} */
export function bundleOf(path) {
  for (const { bundle, match } of rules) {
    const found = match.exec(path);
    if (found) return `bundles/${bundle.replace('$1', found[1] ?? '')}`;
  }
  return undefined;
}

/** The command's own file; everything else under `entries/` is a public subpath. */
export const commandEntry = 'cli/bin.ts';

/** The JavaScript file of a source file, from `dist/` and without `.js`. @param {string} path @returns {string | undefined} */
export function outputOf(path) {
  if (path === commandEntry) return 'cli';
  const entry = /^entries\/(.+)\.ts$/.exec(path);
  return entry ? entry[1] : bundleOf(path);
}

/** The JavaScript file that an import of `target` by `path` leads to; the importer's own where that has a copy. @param {string} path @param {string} target */
export function outputFor(path, target) {
  const from = outputOf(path);
  return from !== undefined && copies[from]?.includes(target) ? from : outputOf(target);
}

/** The subpath that an entry is imported by: `entries/client.ts` is `./client`. @param {string} path */
export function subpathOf(path) {
  const name = path.replace(/^entries\//, '').replace(/\.ts$/, '');
  return name === 'index' ? '.' : `./${name}`;
}

/** What package.json must say of an entry. @param {string} path */
export function exportOf(path) {
  const name = path.replace(/^entries\//, '').replace(/\.ts$/, '');
  return { types: `./dist/types/entries/${name}.d.ts`, default: `./dist/${name}.js` };
}

/** True for what is never part of the package: tests, and the programs and doubles that only they use. @param {string} path */
export const isTest = path => /\.test\.ts$|(^|\/)fixtures\//.test(path);

/** @param {string} path */
const isEntry = path => path === commandEntry || path.startsWith('entries/');

/** The modules that the entries load, at once or later. @param {ReadonlyMap<string, import('./modules.mjs').Module>} modules */
function reachedModules(modules) {
  const paths = new Set([...modules.keys()].filter(path => isEntry(path) && !isTest(path)));
  for (const path of paths) {
    for (const { target, kind } of modules.get(path)?.imports ?? []) {
      if (kind !== 'type' && target !== undefined) paths.add(target);
    }
  }
  return [...modules.values()].filter(({ path }) => paths.has(path));
}

/**
 * Decides what each JavaScript file holds and offers to the others; what no entry reaches is left out. Throws an error
 * that lists every file without a bundle, every name offered twice by one bundle, and every circle of bundles.
 * @param {ReadonlyMap<string, import('./modules.mjs').Module>} modules
 * @returns {Map<string, { entry: string | undefined, offers: Map<string, Set<string>> }>} by output; offers: source file → names
 */
export function planBundles(modules) {
  /** @type {string[]} */
  const faults = [];
  /** @type {Map<string, { entry: string | undefined, offers: Map<string, Set<string>> }>} */
  const plan = new Map();
  /** @type {Map<string, Set<string>>} */
  const loads = new Map();

  for (const path of modules.keys()) {
    if (isTest(path) || outputOf(path) !== undefined) continue;
    faults.push(`src/${path} is in no bundle: add it to the table in scripts/bundles.mjs`);
  }
  const reached = reachedModules(modules);
  for (const { path } of reached) {
    const output = outputOf(path);
    if (output === undefined) continue;
    const row = plan.get(output) ?? { entry: undefined, offers: new Map() };
    plan.set(output, isEntry(path) ? { ...row, entry: path } : row);
  }

  for (const { path, imports } of reached) {
    const output = outputOf(path);
    if (output === undefined) continue;
    for (const { target, kind, names, line } of imports) {
      if (target === undefined || kind === 'type') continue;
      const where = `src/${path}:${line}`;
      const from = outputFor(path, target);
      if (from === undefined || from === output) {
        if (kind === 'dynamic' && from === output) {
          faults.push(
            `${where} imports ${target} dynamically, but both are in ${output}.js: it would not be lazy`,
          );
        }
        continue;
      }
      const source = modules.get(target);
      const offered = kind === 'dynamic' ? (source?.exports ?? []) : names;
      if (kind === 'value' && names.includes('*')) {
        faults.push(`${where} takes everything of ${target}, which is in another bundle: import by name`);
        continue;
      }
      const offers = plan.get(from)?.offers;
      if (offers === undefined) continue;
      for (const name of offered) {
        const owner = ownerOf(modules, target, name);
        offers.set(owner, (offers.get(owner) ?? new Set()).add(name));
      }
      if (kind === 'value') loads.set(output, (loads.get(output) ?? new Set()).add(from));
    }
  }

  for (const [output, { offers }] of plan) {
    /** @type {Map<string, string>} */
    const owners = new Map();
    for (const [file, names] of offers) {
      for (const name of names) {
        const owner = owners.get(name);
        if (owner !== undefined) {
          faults.push(`${output}.js would offer "${name}" of both src/${owner} and src/${file}: rename one`);
        }
        owners.set(name, file);
      }
    }
  }
  const circle = findCircle(loads);
  if (circle) faults.push(`bundles load each other: ${circle.join(' → ')}`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return plan;
}

/**
 * The file that a name comes from, as far as it lies in the same bundle as the one that passes it on.
 * @param {ReadonlyMap<string, import('./modules.mjs').Module>} modules @param {string} path @param {string} name @returns {string}
 */
function ownerOf(modules, path, name) {
  const { imports = [], exports = [] } = modules.get(path) ?? {};
  const passed = exports.includes(name)
    ? imports.find(({ kind, names }) => kind === 'value' && names.includes(name))?.target
    : undefined;
  return passed !== undefined && outputOf(passed) === outputOf(path) ? ownerOf(modules, passed, name) : path;
}

/** @param {ReadonlyMap<string, ReadonlySet<string>>} loads @returns {string[] | undefined} */
function findCircle(loads) {
  const done = new Set();
  /** @param {string} at @param {string[]} path @returns {string[] | undefined} */
  const walk = (at, path) => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
    if (done.has(at)) return undefined;
    for (const next of loads.get(at) ?? []) {
      const circle = walk(next, [...path, at]);
      if (circle) return circle;
    }
    done.add(at);
    return undefined;
  };
  for (const start of loads.keys()) {
    const circle = walk(start, []);
    if (circle) return circle;
  }
  return undefined;
}

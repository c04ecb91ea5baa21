/** Rows of starting: cold start to the first answer, loading the client's entry, and several servers at once. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadStdio } from '../load.mjs';
import { bundle } from '../sizes.mjs';
import { medianOf } from '../statistics.mjs';
import { programOf, runFile, runProgram, startBare, subjects, takesPart } from '../subject.mjs';

/** Fewer of those that take so long that the difference does not matter. */
async function several(subject, most, measure) {
  return { value: await medianOf(Math.max(3, Math.ceil(most * subjects[subject].share)), measure) };
}

/** CPU of a fresh process from its start to its first list, in microseconds. */
async function untilList(file, era) {
  const server = startBare(file);
  try {
    await (await loadStdio(server.child, era)).list();
    return { value: server.cpu() };
  } finally {
    await server.stop();
  }
}

function coldStart(era) {
  return {
    name: `cold start to the first list, stdio server, ${era}`,
    unit: 'ms',
    per: 'start',
    aim: 1.35,
    has: subject => takesPart(subject, 'stdio-server', era),
    measure: subject => several(subject, 7, () => untilList(programOf(subject, 'stdio-server'), era)),
  };
}

/** The file that a subject's server is bundled into, made once. */
const bundles = new Map();

async function bundled(subject) {
  const outdir = fileURLToPath(new URL(`../../.cache/bench-start/${subject}`, import.meta.url));
  const entry = programOf(subject, bundledServer(subject));
  const { outputFiles } = await bundle(entry, outdir, { outExtension: { '.js': '.mjs' } });
  mkdirSync(outdir, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  return join(outdir, `${bundledServer(subject)}.mjs`);
}

/** The floor has nothing to leave out. */
const bundledServer = subject => (subject === 'floor' ? 'stdio-server' : 'bundled-server');

const bundledStart = {
  name: 'cold start to the first list, stdio server in one bundle, handshake',
  unit: 'ms',
  per: 'start',
  aim: 1.15,
  has: subject => takesPart(subject, bundledServer(subject)),
  async measure(subject) {
    if (!bundles.has(subject)) bundles.set(subject, await bundled(subject));
    return several(subject, 7, () => untilList(bundles.get(subject), 'handshake'));
  },
};

const importTime = {
  name: 'loading the client entry',
  unit: 'ms',
  // 15 ms where the floor is 3.5.
  aim: 4.3,
  has: subject => takesPart(subject, 'client-entry'),
  measure: subject =>
    several(subject, 7, () =>
      runFile(fileURLToPath(new URL('../import-time.mjs', import.meta.url)), [
        pathToFileURL(programOf(subject, 'client-entry')).href,
      ]),
    ),
};

const fiveServers = {
  name: 'first answers of five stdio servers, the client’s start included',
  unit: 'ms',
  aim: 1.3,
  has: subject => takesPart(subject, 'five-servers'),
  measure: subject =>
    several(subject, 3, () =>
      runProgram(subject, 'five-servers', { server: programOf('floor', 'stdio-server'), count: 5 }),
    ),
};

export const startRows = [
  coldStart('handshake'),
  coldStart('stateless'),
  bundledStart,
  importTime,
  fiveServers,
];

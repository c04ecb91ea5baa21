/** `tenon doctor`: what happens, step by step, between a client and a server, and what mends that which goes wrong. */
import { systemClock } from '../../basics/clock.ts';
import { type Revision, revisions } from '../../eras/index.ts';
import { seeHelp } from '../arguments.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { count } from '../print.ts';
import { runInterruptible } from '../server/interrupt.ts';
import { searchFor } from '../server/server-target.ts';
import { readTimeouts } from '../server/use-server.ts';
import type { Terminal } from '../terminal.ts';
import { cleanerOf } from './doctor/clean.ts';
import { describeStderr, describeVerdict } from './doctor/describe.ts';
import { examineEnvironment, examinePort } from './doctor/environment.ts';
import { type ExamineOptions, examineServer } from './doctor/examine-server.ts';
import { LiveProgress } from './doctor/live-progress.ts';
import { connectTo, listenOn } from './doctor/network.ts';
import { type DoctorReport, isWell, type ServerReport, type StepReport } from './doctor/report.ts';
import { findServingConfig } from './doctor/serving-config.ts';
import { findSubject, findSubjects, type Subject } from './doctor/subject.ts';

const see = 'tenon doctor';

const help = `Usage: tenon doctor [server] [options]
       tenon doctor [options] -- command [arguments]

Says step by step what happens between a client and a server: how it is found,
started and spoken to, what it offers, and what becomes of its schemas at each
provider of models; with cause and remedy of whatever goes wrong.

<server> is a URL, or a name from .mcp.json here or from the files of
well-known editors. Without one, all of those are started and looked at, and
with them Node and the TENON_ variables of the model.

Options:
  -h, --help             Show this
  --config <file>        Look for servers there alone
  --timeout <s>          Seconds to wait; 60 for the start unless given
  --protocol <revision>  Ask as a client that speaks that revision alone
  --port <[host:]port>   Say whether a server could be served there
  --json                 Print the report as JSON

Exit codes: 0 all is well, 1 something is wrong, 2 wrong use, 130 interrupted.`;

export const doctorCommand: Command = {
  help,
  options: {
    config: { type: 'string' },
    timeout: { type: 'string' },
    protocol: { type: 'string' },
    port: { type: 'string' },
    json: { type: 'boolean' },
  },
  operands: { most: 1, commandLine: true },
  run(given, terminal) {
    const port = readPort(given);
    const timeouts = readTimeouts(see, given);
    const protocol = readProtocol(given);
    const isData = given.values['json'] === true;
    return runInterruptible(async signal => {
      const progress = new LiveProgress(terminal, systemClock, isData, process.stdout.columns);
      const options = { clock: systemClock, signal, timeouts, protocol, environment: process.env, progress };
      try {
        const report = await examine(given, port, options, terminal);
        if (isData) terminal.print(JSON.stringify(report, null, 2));
        else terminal.print(`\n${describeVerdict(report, (style, text) => terminal.paint(style, text))}`);
        return report.ok ? 0 : 1;
      } finally {
        progress.stop();
      }
    });
  },
};

type Options = ExamineOptions & { readonly progress: LiveProgress };

async function examine(
  given: Given,
  port: HostAndPort | undefined,
  options: Options,
  terminal: Terminal,
): Promise<DoctorReport> {
  const { progress, environment: variables } = options;
  const isOne = given.words.length > 0 || given.commandLine !== undefined;
  const environment: StepReport[] = [];
  let subjects: readonly Subject[];
  if (isOne) {
    subjects = [findSubject(see, given, text => terminal.warn(cleanerOf([]).text(text)))];
  } else {
    const search = searchFor(given.values['config'] as string | undefined);
    const found = findSubjects(search);
    subjects = found.subjects;
    progress.title('environment');
    const files = [...new Set(subjects.map(({ from }) => from))];
    const about = {
      ...{ ...options, environment: variables, nodeVersion: process.versions.node, connectTo },
      faults: found.faults,
      serving: await findServingConfig(search),
      found: `${count(subjects.length, 'server')}${files.length === 0 ? '' : ` in ${files.join(', ')}`}`,
    };
    environment.push(...(await examineEnvironment(about)));
  }
  if (port !== undefined) {
    if (isOne) progress.title('environment');
    environment.push(...(await examinePort(port, options, listenOn)));
  }
  const servers: ServerReport[] = [];
  for (const subject of subjects) {
    options.signal.throwIfAborted();
    servers.push(await examineOne(subject, options));
  }
  const ok = isWell(environment) && servers.every(server => server.ok);
  return { ok, environment, servers };
}

async function examineOne(subject: Subject, options: Options): Promise<ServerReport> {
  const clean = cleanerOf([]).text;
  const { progress } = options;
  const named = { ...subject, name: clean(subject.name), from: clean(subject.from) };
  progress.title(`${named.name} (${named.from})`);
  const report = await examineServer(named, options);
  progress.lines(paint => describeStderr(report, paint));
  return report;
}

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

function readPort({ values: { port: given } }: Given): HostAndPort | undefined {
  if (given === undefined) return undefined;
  const [, host = '', digits = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(String(given)) ?? [];
  const port = Number(digits);
  if (port > 0 && port < 65_536) return { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port };
  throw new UsageError(
    `--port must be a port from 1 to 65535, or host:port, got ${JSON.stringify(given)}. ${seeHelp(see)}`,
  );
}

function readProtocol({ values: { protocol } }: Given): 'auto' | Revision {
  if (protocol === undefined) return 'auto';
  const known = revisions.find(revision => revision === protocol);
  if (known !== undefined) return known;
  throw new UsageError(
    `--protocol must be one of ${revisions.join(', ')}, got ${JSON.stringify(protocol)}. ${seeHelp(see)}`,
  );
}

/** Looks at one server step by step: its configuration, its command, how it starts, what it speaks, and what it offers. */
import type { Clock } from '../../../basics/clock.ts';
import type { Channel } from '../../../channels/channel.ts';
import type { StdioOptions } from '../../../channels/stdio-options.ts';
import { type Client, connect } from '../../../client/client.ts';
import type { Timeouts } from '../../../client/options.ts';
import { EraMemory, eraOf, type Revision } from '../../../eras/index.ts';
import { secretsOf } from '../../server/entry-secrets.ts';
import type { ChosenServer } from '../../server/server-target.ts';
import { type Clean, cleanerOf } from './clean.ts';
import { diagnose } from './diagnose.ts';
import { examineOffer } from './examine-offer.ts';
import type { Patient } from './failure.ts';
import { findProgram } from './find-program.ts';
import { type Finding, isWell, type ServerReport } from './report.ts';
import { type Sight, Watch } from './sightings.ts';
import { type Progress, Steps } from './steps.ts';
import { labelOf, patientOf, type Subject } from './subject.ts';

export interface ExamineOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeouts: Timeouts;
  readonly protocol: 'auto' | Revision;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly progress: Progress;
  /** How long a program is given to end; its channel's own by default. */
  readonly grace?: StdioOptions['grace'];
}

/** How much of stderr is kept, and how many lines of it a report has. */
const tailLength = 8192;
const tailLines = 8;

/** Looks as far as the server lets it. Rejects only with the signal's reason; the server is closed by then. */
export async function examineServer(subject: Subject, options: ExamineOptions): Promise<ServerReport> {
  const { clock, progress } = options;
  const { name, from } = subject;
  if ('fault' in subject) {
    const steps = new Steps(clock, progress, cleanerOf([]));
    steps.note('config', { findings: [subject.fault], failed: true });
    return { name, from, ok: false, steps: steps.done, stderr: [] };
  }
  return new Examination(subject.chosen, options).run(subject);
}

class Examination {
  readonly #chosen: ChosenServer;
  readonly #options: ExamineOptions;
  readonly #patient: Patient;
  readonly #clean: Clean;
  readonly #steps: Steps;
  readonly #watch: Watch;
  #stderr = '';
  #noiseTold = false;

  constructor(chosen: ChosenServer, options: ExamineOptions) {
    const { clock, progress, environment } = options;
    this.#chosen = chosen;
    this.#options = options;
    this.#patient = patientOf(chosen);
    this.#clean = cleanerOf(secretsOf(chosen.entry, environment));
    this.#steps = new Steps(clock, progress, this.#clean);
    this.#watch = new Watch(sight => this.#saw(sight));
  }

  async run({ name, from }: Subject): Promise<ServerReport> {
    const client = await this.#open();
    const { done } = this.#steps;
    const told: Partial<ServerReport> = client === undefined ? {} : this.#describe(client);
    if (client !== undefined) {
      try {
        await examineOffer(client, {
          steps: this.#steps,
          signal: this.#options.signal,
          diagnostics: () => this.#watch.seen.diagnostics,
          diagnose: thrown => this.#diagnose(thrown),
          also: () => this.#noise(),
        });
      } finally {
        await this.#close(client);
      }
    }
    this.#options.signal.throwIfAborted();
    return { name, from, ok: isWell(done), ...told, steps: done, stderr: this.#words().slice(-tailLines) };
  }

  /** The client, or nothing when a step failed on the way. */
  async #open(): Promise<Client | undefined> {
    const steps = this.#steps;
    const { entry } = this.#chosen;
    let channel: Channel;
    steps.begin('config');
    try {
      channel = await this.#makeChannel();
      steps.end({ details: [labelOf(this.#chosen)] });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const remedy = 'Correct that field of its entry.';
      steps.end({ findings: [{ code: 'bad-config-value', cause: error.message, remedy }], failed: true });
      return undefined;
    }
    if (entry.transport === 'stdio') {
      steps.begin('command');
      const found = findProgram(entry, this.#chosen.inherit, this.#options.environment);
      if (!found.ok) {
        steps.end({ findings: [found.finding], failed: true });
        return undefined;
      }
      steps.end({ details: [found.file] });
    }
    steps.begin(entry.transport === 'stdio' ? 'start' : 'reach');
    return this.#connect(channel);
  }

  async #connect(channel: Channel): Promise<Client | undefined> {
    const { clock, signal, timeouts, protocol } = this.#options;
    try {
      const client: Client = await connect(this.#watch.channel(channel), {
        clock,
        signal,
        timeouts,
        protocol,
        eraMemory: new EraMemory(),
        onDiagnostic: diagnostic => this.#watch.diagnostic(diagnostic),
      });
      this.#turnTo('protocol');
      const { name, version } = client.server;
      const how = this.#watch.seen.diagnostics.findLast(({ kind }) => kind === 'era')?.message;
      this.#steps.end({ details: [`${name} ${version}`, how ?? client.revision], findings: this.#noise() });
      return client;
    } catch (thrown) {
      signal.throwIfAborted();
      const finding = this.#diagnose(thrown);
      // Who prints nothing else is told so already.
      const others = finding.code === 'not-a-server' ? [] : this.#noise();
      this.#steps.end({ findings: [finding, ...others], failed: true });
      return undefined;
    }
  }

  async #makeChannel(): Promise<Channel> {
    const { entry, inherit } = this.#chosen;
    if (entry.transport === 'http') {
      const { http } = await import('../../../channels/http-client.ts');
      return http(entry.url, { headers: entry.headers });
    }
    const { command, args, env, cwd } = entry;
    const { stdio } = await import('../../../channels/stdio-client.ts');
    return stdio({
      ...{ command, args, env, inheritEnv: inherit, grace: this.#options.grace },
      ...(cwd === undefined ? {} : { cwd }),
      stderr: chunk => {
        this.#stderr = (this.#stderr + chunk).slice(-tailLength);
      },
    });
  }

  /** What was seen for the first time ends one step of opening and begins the next. */
  #saw(sight: Sight): void {
    if ((sight === 'opened' || sight === 'output') && this.#steps.current === 'start') {
      this.#turnTo('first bytes');
    }
    if (sight === 'output' || sight === 'reply') this.#turnTo('protocol');
  }

  #turnTo(step: 'first bytes' | 'protocol'): void {
    const { current } = this.#steps;
    if (current === step || current === undefined) return;
    const status = this.#watch.seen.replies[0]?.status;
    const details =
      current === 'reach' && status !== undefined ? [`status ${status} to the first request`] : [];
    this.#steps.end({ details });
    this.#steps.begin(step);
  }

  #diagnose(thrown: unknown): Finding {
    const { environment } = this.#options;
    return diagnose({
      step: this.#steps.current ?? 'lists',
      thrown,
      patient: this.#patient,
      seen: this.#watch.seen,
      stderr: this.#words().join('\n'),
      isSet: name => (environment[name] ?? '') !== '',
    });
  }

  /** What went to stdout and is no message; told once. */
  #noise(): Finding[] {
    const [line] = this.#watch.seen.noise;
    if (line === undefined || this.#noiseTold) return [];
    this.#noiseTold = true;
    const cause = `it prints on stdout what is no message; other clients give up at that: ${JSON.stringify(line)}`;
    const remedy = 'Let the server write its log to stderr: stdout belongs to the protocol.';
    return [{ code: 'noise-on-stdout', cause, remedy }];
  }

  #describe(client: Client): Partial<ServerReport> {
    const { revision } = client;
    const server = {
      name: this.#clean.text(client.server.name),
      version: this.#clean.text(client.server.version),
    };
    const era = eraOf(revision);
    return { server, revision: this.#clean.text(revision), ...(era === undefined ? {} : { era }) };
  }

  async #close(client: Client): Promise<void> {
    const { clock, grace, signal } = this.#options;
    if (signal.aborted) return client.close();
    const steps = this.#steps;
    steps.begin('close');
    const since = clock.now();
    await client.close();
    if (signal.aborted) return;
    const patience = grace?.end ?? 3000;
    const isLate = this.#patient.transport === 'stdio' && clock.now() - since >= patience;
    const cause = `it, or a program that it started, went on for ${(patience / 1000).toLocaleString('en')} s after its input had ended, and had to be ended by force`;
    const remedy =
      'The server must end when its stdin does, and with it what it started; other clients leave it behind.';
    steps.end({ findings: isLate ? [{ code: 'does-not-end', cause, remedy }] : [] });
  }

  /** Its stderr without secrets; what is said over and over is one line. */
  #words(): string[] {
    const lines = this.#stderr.split(/\r?\n/).map(line => this.#clean.text(line));
    return lines.filter((line, at) => line !== '' && line !== lines[at - 1]);
  }
}

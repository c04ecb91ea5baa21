/** What a configuration has served: its patterns and agents, with the tools of other servers that it allows. */
import { redact } from '../../../basics/redact.ts';
import type { StateStore } from '../../../basics/state-store.ts';
import { buildServed } from '../../../bridge/allow-list/build-served.ts';
import type { Connections, ConnectServer } from '../../../bridge/allow-list/connections.ts';
import { describeForOperator } from '../../../bridge/serving/operator-report.ts';
import type { Channel } from '../../../channels/channel.ts';
import { connect as connectTo } from '../../../client/client.ts';
import { type Environment, modelFromEnvironment } from '../../../models/environment.ts';
import { plainLine } from '../../print.ts';
import type { RecordedCalls } from '../../recording/recorded-calls.ts';
import { secretsOf } from '../../server/entry-secrets.ts';
import { channelTo } from '../../server/server-target.ts';
import { tellToolsetEvent } from '../../server/toolset-news.ts';
import type { Terminal } from '../../terminal.ts';
import type { Offered } from './offered.ts';
import type { ReadFile } from './read-file.ts';
import { summarize } from './summary.ts';

export interface OfferFacts {
  readonly read: Extract<ReadFile, { ok: true }>;
  readonly environment: Environment;
  readonly terminal: Pick<Terminal, 'warn'>;
  /** Connects to a server that is used. */
  readonly connect: ConnectServer;
  /** What is served after this uses them too; without them, each has its own. */
  readonly connections?: Connections | undefined;
  /** Where runs wait for approval that go on after another took this one's place. */
  readonly waiting?: StateStore | undefined;
  readonly calls?: RecordedCalls | undefined;
}

/** Milliseconds for a server's start, which may have to be installed first. */
const startMs = 60_000;

const instructions =
  'These tools let a language model work, which costs time and money. Each says what it is for.';

/** No server is connected before a call needs it. */
export async function offerConfigured({
  read,
  environment,
  terminal,
  connect,
  connections,
  waiting,
  calls,
}: OfferFacts): Promise<Offered> {
  const { config, models } = read;
  const secrets = Object.values(config.servers).flatMap(({ entry }) => secretsOf(entry, environment));
  const say = (text: string): void => terminal.warn(`tenon serve: ${redact(text, secrets)}`);
  const getUsual = async () => modelFromEnvironment(environment);
  const served = buildServed(config, {
    model: entry => (entry === undefined ? getUsual() : (models.models.get(entry) ?? getUsual())),
    connect,
    connections,
    waiting: { store: waiting },
    onError: (reference, error) => say(describeForOperator(reference, error)),
    observe: calls?.observe,
    onEvent: event => {
      calls?.event(event);
      const told = tellToolsetEvent(event);
      if (told !== undefined) say(plainLine(told));
    },
  });
  return {
    about: { name: config.name ?? 'tenon', instructions: config.instructions ?? instructions },
    tools: calls === undefined ? served.tools : served.tools.map(calls.tool),
    note: '',
    lines: await summarize(read, getUsual),
    close: () => served.close(),
  };
}

/** Programs get the safe part of the environment. `between` stands between the connection and the server, such as a recording. */
export function connectThrough(between: (name: string, channel: Channel) => Channel): ConnectServer {
  return async (name, entry, { signal, info }) =>
    connectTo(between(name, await channelTo(entry, 'safe')), {
      signal,
      info,
      timeouts: { connect: startMs, connectTotal: startMs },
    });
}

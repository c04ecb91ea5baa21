/** What a configuration has served: its patterns and agents, with the tools of other servers that it allows. */
import { messageOf } from '../../../basics/failure.ts';
import { buildServed } from '../../../bridge/allow-list/build-served.ts';
import { describeForOperator } from '../../../bridge/serving/operator-report.ts';
import type { ToolsetEvent } from '../../../bridge/toolset/toolset-events.ts';
import type { Channel } from '../../../channels/channel.ts';
import { connect } from '../../../client/client.ts';
import { type Environment, modelFromEnvironment } from '../../../models/environment.ts';
import { plainLine } from '../../print.ts';
import { channelTo } from '../../server/server-target.ts';
import type { Terminal } from '../../terminal.ts';
import type { Offered } from './offered.ts';
import type { ReadFile } from './read-file.ts';
import { summarize } from './summary.ts';

export interface OfferFacts {
  readonly read: Extract<ReadFile, { ok: true }>;
  readonly environment: Environment;
  readonly terminal: Pick<Terminal, 'warn'>;
  /** Stands between the connection and the server, such as a recording. */
  readonly between?: ((name: string, channel: Channel) => Channel) | undefined;
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
  between = (_name, channel) => channel,
}: OfferFacts): Promise<Offered> {
  const { config, models } = read;
  const getUsual = async () => modelFromEnvironment(environment);
  const served = buildServed(config, {
    model: entry => (entry === undefined ? getUsual() : (models.models.get(entry) ?? getUsual())),
    connect: async (name, entry, { signal, info }) =>
      connect(between(name, await channelTo(entry, 'safe')), {
        signal,
        info,
        timeouts: { connect: startMs, connectTotal: startMs },
      }),
    onError: (reference, error) => terminal.warn(`tenon serve: ${describeForOperator(reference, error)}`),
    onEvent: event => {
      const told = tellEvent(event);
      if (told !== undefined) terminal.warn(`tenon serve: ${plainLine(told)}`);
    },
  });
  return {
    about: { name: config.name ?? 'tenon', instructions: config.instructions ?? instructions },
    tools: served.tools,
    note: '',
    lines: await summarize(read, getUsual),
    close: () => served.close(),
  };
}

/** What an operator has to know; nothing for what goes as it should. */
function tellEvent(event: ToolsetEvent): string | undefined {
  switch (event.type) {
    case 'drop':
      return `the tool ${event.server}/${event.tool} is left out: ${event.reason}`;
    case 'drift': {
      const { server, tool, kind } = event.drift;
      const what = kind === 'changed' ? 'is not what was approved' : 'was not approved';
      return `the tool ${server}/${tool} ${what}${event.blocked ? ', and is left out' : ''}`;
    }
    case 'server': {
      const { key, state, error } = event.server;
      return state === 'failed' ? `the server ${key} cannot be used: ${messageOf(error)}` : undefined;
    }
    default:
      return undefined;
  }
}

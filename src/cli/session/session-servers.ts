/** The servers of a session: each that was named, connected when it is needed first. */
import { TenonError } from '../../basics/failure.ts';
import type { ServerSource } from '../../bridge/toolset/server-sources.ts';
import { connect } from '../../client/client.ts';
import { answerElicitation } from '../asking/answer-elicitation.ts';
import type { Asker } from '../asking/asker.ts';
import { type Given, UsageError } from '../command.ts';
import type { Recorder } from '../recording/recorder.ts';
import { chooseServer, type ServerTarget } from '../server/server-target.ts';
import { readTimeouts } from '../server/use-server.ts';
import type { Terminal } from '../terminal.ts';

export interface SessionFacts {
  readonly see: string;
  readonly given: Given;
  readonly terminal: Terminal;
  readonly asker: Asker | undefined;
  readonly recorder: Recorder | undefined;
  /** Takes what must not be recorded. */
  readonly secrets: string[];
}

/**
 * By a key for each. Throws a `UsageError` for a server that nobody knows; one whose configuration cannot be used fails
 * when it is needed, like one that does not start.
 */
export async function sessionServers(facts: SessionFacts): Promise<Readonly<Record<string, ServerSource>>> {
  const { see, given, terminal } = facts;
  const { server: named = [] } = given.values;
  const sources = new Map<string, ServerSource>();
  const add = (wanted: string, source: ServerSource): void => {
    const base = wanted.replaceAll('/', '_').trim() || 'server';
    let key = base;
    for (let number = 2; sources.has(key); number += 1) key = `${base}-${number}`;
    sources.set(key, source);
  };
  for (const word of Array.isArray(named) ? named.map(String) : []) {
    try {
      const target = await chooseServer(see, { values: given.values, words: [word] }, terminal.warn);
      add(target.name, connector(target, facts));
    } catch (error) {
      if (error instanceof UsageError || !(error instanceof TenonError)) throw error;
      add(word, () => Promise.reject(error));
    }
  }
  if (given.commandLine !== undefined) {
    const target = await chooseServer(see, { ...given, words: [] }, terminal.warn);
    add(target.name, connector(target, facts));
  }
  return Object.fromEntries(sources);
}

function connector(
  target: ServerTarget,
  { see, given, terminal, asker, recorder, secrets }: SessionFacts,
): ServerSource {
  const { name, channel } = target;
  secrets.push(...target.secrets);
  const timeouts = readTimeouts(see, given);
  return ({ signal }) =>
    connect(recorder?.channel(name, channel) ?? channel, {
      signal,
      timeouts,
      onElicit: answerElicitation(name, asker, terminal),
    });
}

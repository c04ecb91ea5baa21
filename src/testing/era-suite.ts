/** What users may rely on whatever the era and the channel, as a suite that depends on no test runner. */

import type { CallToolResult } from '../client/call-result.ts';
import type { Client } from '../client/client.ts';
import type { ClientOptions } from '../client/options.ts';
import { within } from './assert.ts';
import { callSentences } from './era-suite-calls.ts';
import { limitSentences } from './era-suite-limits.ts';
import { offerSentences } from './era-suite-offers.ts';
import { questionSentences } from './era-suite-questions.ts';
import type { Sentences, TestFunction } from './test-function.ts';

/** Connects, with these options and whatever else is under test, to a fresh `eraSuiteServer()`. */
export type ConnectTo = (options: ClientOptions) => Promise<Client>;

/** What old revisions have no form for. */
export type Lack = 'structured-content' | 'progress-message';

export interface EraSuiteOptions {
  /** Registers a test, as `test` of vitest or `node:test` does. */
  readonly test: TestFunction;
  readonly lacks?: readonly Lack[];
}

/** What each sentence is given. */
export interface EraKit {
  /** Connects; the client is closed after the sentence. */
  connect(options?: ClientOptions): Promise<Client>;
  lacks(what: Lack): boolean;
}

/** Registers one test per sentence; `connectTo` is called at least once for each of them. */
export function eraSuite(connectTo: ConnectTo, options: EraSuiteOptions): void {
  const { test, lacks = [] } = options;
  const sentences: Sentences<EraKit> = {
    ...callSentences,
    ...limitSentences,
    ...questionSentences,
    ...offerSentences,
  };
  for (const [name, run] of Object.entries(sentences)) {
    test(name, async () => {
      const clients: Client[] = [];
      try {
        await run({
          lacks: what => lacks.includes(what),
          async connect(clientOptions = {}) {
            const client = await within(connectTo(clientOptions), 'connecting');
            clients.push(client);
            return client;
          },
        });
      } finally {
        await Promise.all(clients.map(client => within(client.close(), 'closing at the end')));
      }
    });
  }
}

/** The text of a result, its blocks joined by newlines. */
export function textOf(result: CallToolResult): string {
  return result.content
    .map(block => ('text' in block && typeof block.text === 'string' ? block.text : `[${block.type}]`))
    .join('\n');
}

/** The text of a call's result, which must come in good time. */
export async function say(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  return textOf(await within(client.call(name, args), `the answer of ${name}`));
}

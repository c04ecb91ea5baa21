/** What every channel must do, as a suite that depends on no test runner. */

import { systemClock } from '../basics/clock.ts';
import { nextTurn } from '../basics/next-turn.ts';
import type { Channel } from '../channels/channel.ts';
import { SuiteFailure, within } from './assert.ts';
import { ChannelProbe } from './channel-probe.ts';
import { endSentences, leaveSentences } from './channel-suite-ends.ts';
import { messageSentences } from './channel-suite-messages.ts';
import { pipeSentences, streamSentences } from './channel-suite-shapes.ts';
import type { Sentences, TestFunction } from './test-function.ts';

/** A channel to a server that runs `channelSuiteServer()`. */
export interface ChannelUnderTest {
  readonly channel: Channel;
  /** How many connections there are at the moment: processes, sockets. Must be 0 after each sentence. */
  readonly connections?: () => number | Promise<number>;
  /** Frees what was made beside the channel. */
  readonly dispose?: () => void | Promise<void>;
}

export interface ChannelSuiteOptions {
  /** Registers a test, as `test` of vitest or `node:test` does. */
  readonly test: TestFunction;
  /** True when the channel gives each request a reply stream of its own; false by default. */
  readonly replyStreams?: boolean;
  /** True when the server was made with a `leave` that makes it go away; false by default. */
  readonly leaves?: boolean;
}

/** What each sentence is given. */
export interface ChannelKit {
  readonly channel: Channel;
  readonly replyStreams: boolean;
  /** Opens the channel; it is closed after the sentence. */
  open(): Promise<ChannelProbe>;
  /** Closes this one after the sentence, too. */
  adopt(probe: ChannelProbe): void;
}

/** Registers one test per sentence; `make` is called for each of them. */
export function channelSuite(
  make: () => ChannelUnderTest | Promise<ChannelUnderTest>,
  options: ChannelSuiteOptions,
): void {
  const { test, replyStreams = false, leaves = false } = options;
  const sentences: Sentences<ChannelKit> = {
    ...messageSentences,
    ...endSentences,
    ...(replyStreams ? streamSentences : pipeSentences),
    ...(leaves ? leaveSentences : {}),
  };
  for (const [name, run] of Object.entries(sentences)) {
    test(name, async () => {
      const made = await make();
      const probes: ChannelProbe[] = [];
      const kit: ChannelKit = {
        channel: made.channel,
        replyStreams,
        adopt: probe => void probes.push(probe),
        async open() {
          const probe = await new ChannelProbe().open(made.channel);
          probes.push(probe);
          return probe;
        },
      };
      try {
        await run(kit);
      } finally {
        await Promise.all(probes.map(probe => within(probe.connection.close(), 'closing at the end')));
        if (made.connections) await untilNone(made.connections);
        await made.dispose?.();
      }
    });
  }
}

/** The other end may need a moment to notice. */
async function untilNone(connections: () => number | Promise<number>): Promise<void> {
  const deadline = systemClock.now() + 1000;
  for (let looks = 1; ; looks += 1) {
    const left = await connections();
    if (left === 0) return;
    if (looks >= 200 && systemClock.now() > deadline) {
      throw new SuiteFailure(`connections that were left behind: ${left}`);
    }
    await new Promise<void>(nextTurn);
  }
}

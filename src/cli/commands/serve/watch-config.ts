/** `--watch`: what a configuration says anew takes the place of what is served; a faulty one changes nothing, and is told. */
import { systemClock } from '../../../basics/clock.ts';
import { messageOf } from '../../../basics/failure.ts';
import type { Connections } from '../../../bridge/allow-list/connections.ts';
import type { ServerEntry } from '../../../bridge/allow-list/server-entry.ts';
import type { Server } from '../../../server/server.ts';
import { plainLine } from '../../print.ts';
import type { Terminal } from '../../terminal.ts';
import type { Offered } from './offered.ts';
import { type ReadFile, tellFaults } from './read-file.ts';
import { namesOf } from './summary.ts';
import { Turnover } from './turnover.ts';
import { type FileWatch, watchFile } from './watch-file.ts';

type Read = Extract<ReadFile, { ok: true }>;

export interface WatchedConfig {
  readonly file: string;
  /** What is served until the file says otherwise, and what was read of it; nothing where there was no file. */
  readonly first: Offered;
  readonly firstRead: Read | undefined;
  /** Reads the file as it is now. */
  readonly read: () => Promise<ReadFile | undefined>;
  readonly offer: (read: Read) => Promise<Offered>;
  /** Those of everything that is offered; closed with it. */
  readonly connections: Connections;
  readonly terminal: Pick<Terminal, 'warn'>;
}

export interface LiveOffer {
  /** `first`, whose calls are seen to their end; closing it closes the watch too, and all that came after it. */
  readonly first: Offered;
  /** From now on `server` serves what the file says. Throws a TenonError when it cannot be watched. */
  begin(server: Pick<Server, 'update'>): void;
}

export function watchConfig(facts: WatchedConfig): LiveOffer {
  const { file, first, firstRead, read, offer, connections, terminal } = facts;
  const say = (text: string): void => terminal.warn(`tenon serve: ${text}`);
  const reads = new WeakMap<Offered, Read>();
  if (firstRead !== undefined) reads.set(first, firstRead);
  const turnover = new Turnover(async left => {
    const closed = await connections.retain(left.flatMap(each => entriesOf(reads.get(each))));
    if (closed.length > 0 && !isClosed) say(`closed ${closed.map(plainLine).join(', ')}: not used any more`);
  });
  let watch: FileWatch | undefined;
  let turn = Promise.resolve();
  let isClosed = false;

  const takeOver = async (server: Pick<Server, 'update'>): Promise<void> => {
    const found = await read();
    if (found === undefined || isClosed) return;
    if (!found.ok) return say(`${kept}; ${tellFaults(found)}`);
    const offered = await offer(found);
    if (isClosed) return offered.close();
    reads.set(offered, found);
    try {
      server.update({ tools: turnover.begin(offered) });
    } catch (error) {
      await turnover.drop(offered);
      throw error;
    }
    turnover.endBefore();
    const isRenamed = JSON.stringify(offered.about) !== JSON.stringify(first.about);
    const later = isRenamed ? ['  its name and instructions are told to clients after the next start'] : [];
    say(
      [`took over ${file}: serves ${namesOf(offered.tools)}`, ...offered.lines.slice(1), ...later].join('\n'),
    );
  };
  return {
    first: {
      ...first,
      tools: turnover.begin(first),
      async close() {
        isClosed = true;
        watch?.close();
        await turn;
        await turnover.close();
        await connections.close();
      },
    },
    begin(server) {
      watch = watchFile(file, firstRead?.text, {
        clock: systemClock,
        onChange() {
          turn = turn
            .then(() => takeOver(server))
            .catch((error: unknown) => say(`${kept}; ${messageOf(error)}`));
        },
        onGone: reason => say(`${kept}; ${file} ${reason}`),
        onFault: error => say(`${file} is not watched any more: ${messageOf(error)}`),
      });
    },
  };
}

const kept = 'what was served goes on';

function entriesOf(read: Read | undefined): (readonly [string, ServerEntry])[] {
  return Object.entries(read?.config.servers ?? {}).map(([name, { entry }]) => [name, entry]);
}

/** A transcript as text: prose on top, `> ` before what the client says, `< ` before what the server says. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Acceptor, Channel } from '../../src/channels/channel.ts';

export interface Line {
  readonly from: '>' | '<';
  readonly message: { readonly [member: string]: unknown };
}

export interface Transcript {
  readonly prose: string;
  readonly lines: readonly Line[];
}

/** What differs each time, by the member that holds it, and what stands for it. */
const covers: ReadonlyMap<string, string> = new Map([
  ['requestState', '(sealed)'],
  ['taskId', '(task)'],
  ['createdAt', '(time)'],
  ['lastUpdatedAt', '(time)'],
]);

export function parse(text: string): Transcript {
  const all = text.split('\n');
  const isLine = (line: string): boolean => /^[<>] /.test(line);
  const first = all.findIndex(isLine);
  const prose = (first < 0 ? all : all.slice(0, first)).join('\n').trim();
  const lines = all.filter(isLine).map(line => ({
    from: line.startsWith('>') ? ('>' as const) : ('<' as const),
    message: JSON.parse(line.slice(2)) as Line['message'],
  }));
  return { prose, lines };
}

export function print({ prose, lines }: Transcript): string {
  const printed = lines.map(({ from, message }) => `${from} ${JSON.stringify(cover(message))}`);
  return `${prose}\n\n${printed.join('\n')}\n`;
}

/** Keeps what passes through a channel. */
export function recording(channel: Channel): { channel: Channel; lines: Line[] } {
  const lines: Line[] = [];
  const note = (from: Line['from'], message: unknown): void => {
    lines.push({ from, message: structuredClone(message) as Line['message'] });
  };
  return {
    lines,
    channel: {
      label: channel.label,
      async open(receiver, options) {
        const connection = await channel.open(
          {
            message(value, of) {
              note('<', value);
              receiver.message(value, of);
            },
            ended: (of, error) => receiver.ended(of, error),
            closed: error => receiver.closed(error),
            activity: kind => receiver.activity(kind),
            diagnostic: each => receiver.diagnostic(each),
          },
          options,
        );
        return {
          replyStreams: connection.replyStreams,
          send(message, how) {
            note('>', message);
            connection.send(message, how);
          },
          abandon: of => connection.abandon(of),
          close: () => connection.close(),
        };
      },
    },
  };
}

/** Says the client's lines to a server, each when the lines before it have come; gives all that was said. */
export async function replay(
  server: Acceptor,
  { lines }: Transcript,
  between: (line: Line) => void,
): Promise<Line[]> {
  const said: Line[] = [];
  /** What the server gave last, by what stands for it. */
  const given = new Map<string, unknown>();
  let came = (): void => {};
  const exchange = {
    send(message: unknown): void {
      const line: Line = { from: '<', message: structuredClone(message) as Line['message'] };
      for (const [member, value] of Object.entries(line.message['result'] ?? {})) {
        const cover = covers.get(member);
        if (cover !== undefined) given.set(cover, value);
      }
      said.push(line);
      came();
    },
  };
  const inlet = server.accept(exchange);
  for (const [index, line] of lines.entries()) {
    if (line.from === '>') {
      // The server may be about to do what the client has waited for.
      await turn();
      said.push(line);
      const reviver = (_key: string, value: unknown): unknown => given.get(value as string) ?? value;
      inlet.receive(JSON.parse(JSON.stringify(line.message), reviver), exchange);
    } else {
      between(line);
      while (said.length <= index) {
        await new Promise<void>(resolve => {
          came = resolve;
        });
      }
    }
  }
  await turn();
  await inlet.close(new Error('the transcript is over'));
  return said;
}

function cover(message: Line['message']): unknown {
  return JSON.parse(
    JSON.stringify(message, (key, value: unknown) => (value ? (covers.get(key) ?? value) : value)),
  ) as unknown;
}

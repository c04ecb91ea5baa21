/** Where the matrix fails and the peer is at fault, each with the reason; the recorded run shows the exchange. */
import type { Column } from './columns.ts';

export interface Fault {
  readonly id: string;
  readonly behaviours: readonly string[];
  readonly in: (column: Column) => boolean;
  readonly reason: string;
}

export const faults: readonly Fault[] = [
  {
    id: 'late-progress',
    behaviours: ['progress-at-once'],
    in: ({ peerIs, transport }) => peerIs === 'client' && (transport === 'stdio' || transport === 'http-sse'),
    reason:
      'The official clients take a result at once and what came before it one microtask later. When both arrive in one read, the result has removed the progress handler before the progress reaches it ("Received a progress notification for an unknown token"). All three notifications are on the wire, in order, with the token of the request.',
  },
  {
    id: 'json-drops-questions',
    behaviours: ['elicit', 'sample', 'roots', 'log'],
    in: ({ peer, peerIs, transport, era }) =>
      peer === '2.x' && peerIs === 'server' && transport === 'http-json' && era === 'handshake',
    reason:
      'With `enableJsonResponse` the official 2.x transport drops, without a word, each message that belongs to a request and is not its result, also where the client has its standing stream open. A question is never seen and its call never answered; a log message is lost. (The 1.x transport does the same; the server of the matrix asks on the standing stream there, which a tool of the 2.x line that returns `inputRequired` cannot.)',
  },
];

export const faultOf = (column: Column, behaviour: string): Fault | undefined =>
  faults.find(fault => fault.in(column) && fault.behaviours.includes(behaviour));

/** The columns of the matrix: which client meets which server, by which way, in which of their modes. */

/** The published package at one of the ends. */
export type Line = '1.x' | '2.x';
/** `http-sse` is the deprecated transport of two endpoints. */
export type Transport = 'stdio' | 'http-json' | 'http-stream' | 'http-sse';
export type Era = 'handshake' | 'stateless';

export interface Column {
  readonly id: string;
  readonly peer: Line;
  /** What the peer is; ours is the other end. */
  readonly peerIs: 'client' | 'server';
  readonly transport: Transport;
  /** The client's own word for how it finds out what the server speaks. */
  readonly mode: string;
  readonly revision: string;
  readonly era: Era;
  /** `false`, in the handshake era over HTTP: the server knows nobody from one request to the next. */
  readonly sessions: boolean;
  /** How the server is told to be other than usual. */
  readonly flags: readonly string[];
}

const transports: readonly Transport[] = ['stdio', 'http-json', 'http-stream'];
const newest = { handshake: '2025-11-25', stateless: '2026-07-28' } as const;

interface Meeting {
  readonly peer: Line;
  readonly peerIs: 'client' | 'server';
  readonly mode: string;
  readonly era: Era;
  readonly sessions?: boolean;
  readonly flags?: readonly string[];
  readonly by?: readonly Transport[];
}

/** Our server with the option `sessions: false`. */
const sessionLess = {
  sessions: false,
  flags: ['sessions: false'],
  by: ['http-json', 'http-stream'],
} as const;

/** The 2.x client can pin revisions of the stateless era only; its word for the other is `legacy`. */
const meetings: readonly Meeting[] = [
  { peer: '1.x', peerIs: 'client', mode: 'default', era: 'handshake' },
  { peer: '1.x', peerIs: 'client', mode: 'default', era: 'handshake', by: ['http-sse'] },
  { peer: '2.x', peerIs: 'client', mode: 'legacy', era: 'handshake' },
  { peer: '2.x', peerIs: 'client', mode: 'auto', era: 'stateless' },
  { peer: '2.x', peerIs: 'client', mode: '2026-07-28', era: 'stateless' },
  { peer: '1.x', peerIs: 'client', mode: 'default', era: 'handshake', ...sessionLess },
  { peer: '2.x', peerIs: 'client', mode: 'legacy', era: 'handshake', ...sessionLess },
  { peer: '1.x', peerIs: 'server', mode: 'auto', era: 'handshake', by: [...transports, 'http-sse'] },
  { peer: '2.x', peerIs: 'server', mode: 'auto', era: 'stateless' },
  { peer: '2.x', peerIs: 'server', mode: '2026-07-28', era: 'stateless', flags: ['--stateless-only'] },
  { peer: '2.x', peerIs: 'server', mode: '2025-11-25', era: 'handshake' },
  {
    peer: '2.x',
    peerIs: 'server',
    mode: '2025-11-25',
    era: 'handshake',
    sessions: false,
    flags: ['--session-less'],
    by: ['http-stream'],
  },
];

export const columns: readonly Column[] = meetings.flatMap(
  ({ by = transports, flags = [], sessions = true, ...meeting }) =>
    by.map(transport => ({
      id: `${meeting.peer} ${meeting.peerIs}, ${meeting.mode}${flags.map(flag => ` ${flag}`).join('')}, ${transport}`,
      ...meeting,
      flags,
      sessions,
      transport,
      revision: newest[meeting.era],
    })),
);

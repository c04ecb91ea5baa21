/** Published programs that join transports, in front of our server and behind our client at once. */
import type { Revision } from '../../../src/entries/client.ts';
import type { PeerName } from '../peers.ts';

export interface Bridge {
  readonly id: string;
  readonly peer: PeerName;
  /** How our client reaches it, and how it reaches our server. */
  readonly from: 'stdio' | 'http';
  readonly to: 'stdio' | 'http';
  /** The path of its endpoint, where it has one. */
  readonly path?: string;
  /** In words, for the table. */
  readonly mode: string;
  /** What our client and the bridge agree on, by our client's `protocol` option. */
  readonly revisions: Readonly<Partial<Record<'auto' | Revision, Revision>>>;
  /** `target` is the URL of our server, or its command line; `port` is where it shall listen. */
  args(target: string, port: number): readonly string[];
}

const [handshake, stateless] = ['2025-11-25', '2026-07-28'] as const;
const both = { auto: stateless, [handshake]: handshake } as const;

const proxy = (...flags: readonly string[]): Bridge['args'] => {
  return (target, port) => ['--port', String(port), ...flags, '--', ...target.split(' ')];
};

export const bridges: readonly Bridge[] = [
  {
    id: 'mcp-remote',
    peer: 'mcp-remote',
    from: 'stdio',
    to: 'http',
    mode: 'default',
    revisions: both,
    args: target => [target],
  },
  {
    id: 'supergateway',
    peer: 'supergateway',
    from: 'stdio',
    to: 'http',
    mode: '--streamableHttp',
    // It ends at a request that it does not expect as the first.
    revisions: { auto: handshake, [handshake]: handshake },
    args: target => ['--streamableHttp', target, '--logLevel', 'none'],
  },
  {
    id: 'supergateway',
    peer: 'supergateway',
    from: 'http',
    to: 'stdio',
    path: '/mcp',
    mode: '--stateful',
    revisions: both,
    args: (target, port) => [
      '--stdio',
      target,
      '--outputTransport',
      'streamableHttp',
      '--stateful',
      '--port',
      String(port),
    ],
  },
  {
    id: 'mcp-proxy',
    peer: 'mcp-proxy',
    from: 'http',
    to: 'stdio',
    path: '/mcp',
    mode: 'default',
    revisions: both,
    args: proxy(),
  },
  {
    id: 'mcp-proxy',
    peer: 'mcp-proxy',
    from: 'http',
    to: 'stdio',
    path: '/mcp',
    mode: '--upstreamProtocol auto',
    revisions: both,
    args: proxy('--upstreamProtocol', 'auto'),
  },
  {
    id: 'mcp-proxy',
    peer: 'mcp-proxy',
    from: 'http',
    to: 'stdio',
    path: '/sse',
    mode: 'the older transport',
    revisions: { auto: handshake, [handshake]: handshake },
    args: proxy(),
  },
];

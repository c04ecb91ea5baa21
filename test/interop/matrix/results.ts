/** The recorded run of the whole matrix: what `results.json` holds and `docs/interop.md` is drawn from. */
import { readFileSync } from 'node:fs';
import { fileOf, type PeerName } from '../peers.ts';
import { behaviours } from './behaviours.ts';
import { faults } from './faults.ts';

export interface Cell {
  readonly behaviour: string;
  readonly result: string;
  readonly fault?: string | undefined;
  readonly error?: string;
  readonly exchange?: readonly string[];
}

export interface RecordedColumn {
  readonly id: string;
  readonly peer: string;
  readonly peerIs: string;
  readonly transport: string;
  readonly mode: string;
  readonly revision: string;
  readonly flags: readonly string[];
  readonly cells: readonly Cell[];
}

export interface Results {
  /** The packages of each peer with their versions. */
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly behaviours: readonly { readonly id: string; readonly title: string }[];
  /** Why a cell that failed is a fault of the peer. */
  readonly faults: Readonly<Record<string, string>>;
  readonly columns: RecordedColumn[];
  readonly visitors: {
    readonly id: string;
    readonly peer: string;
    readonly mode: string;
    readonly transport: string;
    readonly revision?: string | undefined;
  }[];
  readonly bridges: {
    readonly id: string;
    readonly peer: string;
    readonly mode: string;
    readonly from: string;
    readonly to: string;
    readonly protocol: string;
    readonly revision: string;
  }[];
}

export const behaviourRows = (): Results['behaviours'] => behaviours.map(({ id, title }) => ({ id, title }));

export const faultReasons = (): Results['faults'] =>
  Object.fromEntries(faults.map(({ id, reason }) => [id, reason]));

const taking: readonly PeerName[] = [
  'sdk-v1',
  'sdk-v2',
  'inspector-0',
  'inspector-2',
  'ai-sdk-1',
  'ai-sdk-2',
  'mcporter',
  'mcpc',
  'mcp-remote',
  'supergateway',
  'mcp-proxy',
];

/** What the package.json of each peer pins. */
export function readVersions(): Results['versions'] {
  return Object.fromEntries(
    taking.map(peer => {
      const { dependencies } = JSON.parse(readFileSync(fileOf(peer, 'package.json'), 'utf8')) as {
        dependencies: Record<string, string>;
      };
      return [peer, dependencies];
    }),
  );
}

/** What every exchange of one HTTP connection shares: settings, transport, receiver, clock, and the order of sending. */
import type { Clock } from '../basics/clock.ts';
import type { Receiver } from './channel.ts';
import type { HttpSettings } from './http-client-options.ts';
import { type Errand, Trip, type TripListener } from './http-client-trip.ts';
import type { HttpTransport } from './http-transport.ts';

export interface HttpSeat {
  readonly settings: HttpSettings;
  readonly transport: HttpTransport;
  readonly receiver: Receiver;
  readonly clock: Clock;
}

/** Makes a request ready; call `begin` on it. */
export function plan(seat: HttpSeat, errand: Errand, listener: TripListener): Trip {
  return new Trip(seat.settings, seat.transport, errand, listener);
}

const both = 'application/json, text/event-stream';

/** Headers that a POST cannot do without. */
export const postHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: both,
};

/** Headers that a GET for a stream cannot do without. */
export const streamHeaders: Readonly<Record<string, string>> = { accept: 'text/event-stream' };

/** How long to wait before a lost stream is fetched again: what the server asked for, or longer each time it fails. */
export function backoff(failures: number, retry: number | undefined, longest: number): number {
  const grown = Math.min(1000 * 2 ** Math.min(failures, 16), longest);
  if (failures === 0) return retry ?? 1000;
  // Never sooner than the server asked for; clients that were cut together come back apart.
  return Math.max(retry ?? 0, grown * (0.75 + Math.random() / 4));
}

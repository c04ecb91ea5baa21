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

/** Shorter waits that a server asks for would be a storm of requests. */
const leastWait = 500;
/** So many empty streams in a row are what a server may mean that closes early and is polled. */
const emptyStreams = 4;
const longestEmptyWait = 5000;

/**
 * How long to wait before a lost stream is fetched again: what the server asked for within reason, or longer each time it
 * fails. `empty` counts the streams in a row that brought no message.
 */
export function backoff(failures: number, empty: number, retry: number | undefined, longest: number): number {
  if (failures === 0) {
    const doublings = Math.min(Math.max(empty - emptyStreams, 0), 16);
    return Math.max(retry ?? 1000, Math.min(leastWait * 2 ** doublings, longestEmptyWait));
  }
  const grown = Math.min(1000 * 2 ** Math.min(failures, 16), longest);
  // Never sooner than the server asked for; clients that were cut together come back apart.
  return Math.max(retry ?? 0, grown * (0.75 + Math.random() / 4));
}

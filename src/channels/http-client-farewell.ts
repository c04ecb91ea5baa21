/** The last word to a server: a DELETE that nobody waits long for, whatever becomes of it. */
import { type HttpSeat, plan } from './http-client-seat.ts';

/** How long a server may take to say goodbye, in milliseconds. */
const longest = 2000;

/** Never rejects. */
export function sayFarewell(seat: HttpSeat, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise(resolve => {
    const { url } = seat.settings;
    const errand = { verb: 'DELETE', url, required: {}, headers, waits: false, phase: 'close' } as const;
    const done = (): void => {
      timer.cancel();
      trip.drop();
      resolve();
    };
    const trip = plan(seat, errand, { head: done, data: () => {}, end: done, failed: done });
    const timer = seat.clock.after(longest, done, true);
    trip.begin();
  });
}

/** The standing stream of a handshake client over HTTP: opened when something needs it, and waited for a moment. */
import type { Timer } from '../../basics/clock.ts';
import type { ClientSeat } from '../era.ts';
import type { Link } from '../link.ts';
import type { Session } from './client-session.ts';

/** How long requests wait for a stream that was just asked for: what the server says before it stands would be lost. */
const firstWait = 500;

export class StandingListener {
  readonly #link: Link;
  readonly #session: Session;
  /** Settles when the stream stands, when there is none, or when it takes too long; absent when nobody waits. */
  ready: Promise<void> | undefined;
  #release: (() => void) | undefined;
  #timer: Timer | undefined;
  #leave: (() => void) | undefined;
  #wanted = false;
  readonly #lost: () => void;

  /** `lost` is called when the server no longer knows the session of a stream that stood. */
  constructor(link: Link, session: Session, lost: () => void) {
    this.#link = link;
    this.#session = session;
    this.#lost = lost;
  }

  /** Opens the stream at once when the client has a handler for what may come on it. */
  begin({ capabilities, logLevel }: ClientSeat): void {
    const asks = ['elicitation', 'sampling', 'roots'].some(name => capabilities[name] !== undefined);
    if (asks || logLevel !== undefined || this.#link.listensAlways) this.want();
  }

  /** Opens the stream unless it is open or is known not to exist. */
  want(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#open();
  }

  /** Another session began: its stream is another one. */
  renew(): void {
    if (!this.#wanted) return;
    this.#leave?.();
    this.#open();
  }

  close(): void {
    this.#leave?.();
    this.#settle();
  }

  #open(): void {
    this.#leave = this.#link.listen({
      headers: this.#session.headers,
      resume: place => this.#session.placed(place),
      opened: () => this.#settle(),
      ended: error => {
        this.#settle();
        if (!error) return;
        if (error.status === 404) {
          this.#lost();
          return;
        }
        const message = `the server refuses the stream for what belongs to no request: ${error.message}`;
        this.#link.diagnostic({ kind: 'standing-stream', message, data: error });
      },
    });
    if (!this.#leave) return;
    this.#settle();
    this.ready = new Promise(resolve => {
      this.#release = resolve;
    });
    this.#timer = this.#link.clock.after(firstWait, () => this.#settle(), true);
  }

  #settle(): void {
    this.#timer?.cancel();
    this.#release?.();
    this.ready = undefined;
  }
}

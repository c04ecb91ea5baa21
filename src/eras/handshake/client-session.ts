/** The session of a client of the handshake era over HTTP: which headers name it, when it is lost, how it is renewed. */
import type { ReplyHead, SendOptions } from '../../channels/channel.ts';
import type { Id, Message } from '../../rpc/message.ts';
import type { Dress } from '../dress.ts';
import type { Link } from '../link.ts';

type Headers = Readonly<Record<string, string>>;

const sessionHeader = 'mcp-session-id';
const versionHeader = 'mcp-protocol-version';
const placeHeader = 'last-event-id';

/** One per connection; made before `initialize` is sent, since the reply to it names the session. */
export class Session implements Dress {
  #id: string | undefined;
  #revision: string | undefined;
  #headers: Headers = {};
  #opening: Id | undefined;
  /** How the last `initialize` was answered. */
  openingStatus: number | undefined;
  /** The session that each running request was sent in. */
  readonly #sentIn = new Map<Id, string>();
  /** Requests that were answered as if their session had never been, with that session. */
  readonly #lost = new Map<Id, string>();
  #renewal: { readonly of: string; readonly done: Promise<void> } | undefined;
  /** Settles when the session that is being renewed is there; absent at other times. */
  renewing: Promise<unknown> | undefined;

  /** Dresses the messages of a connection from here on. */
  static on(link: Link): Session {
    const session = new Session();
    link.dress = session;
    return session;
  }

  /** Headers of whatever belongs to the session. */
  get headers(): Headers {
    return this.#headers;
  }

  get exists(): boolean {
    return this.#id !== undefined;
  }

  /** The id, for `renew`. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The revision that was agreed on; named on everything from now on. */
  agree(revision: string): void {
    this.#revision = revision;
    this.#compose();
  }

  wear(message: Message, own: Headers | undefined): SendOptions {
    if ('method' in message && message.method === 'initialize') {
      // A new session begins: nothing of an old one may go along.
      this.#opening = (message as { readonly id?: Id }).id;
      this.#id = undefined;
      this.#revision = undefined;
      this.#compose();
      return own ? { headers: own } : {};
    }
    if (this.#id !== undefined && 'method' in message && 'id' in message) {
      this.#sentIn.set(message.id as Id, this.#id);
    }
    if (!own) return { headers: this.#headers, resume: this.#resume };
    const headers = { ...own, ...this.#headers };
    return { headers, resume: place => ({ ...headers, [placeHeader]: place }) };
  }

  replied(of: Id, head: ReplyHead): void {
    if (of === this.#opening) {
      this.#opening = undefined;
      this.openingStatus = head.status;
      this.#id = head.status < 300 ? head.header(sessionHeader) : undefined;
      this.#compose();
      return;
    }
    const sentIn = this.#sentIn.get(of);
    if (sentIn === undefined) return;
    this.#sentIn.delete(of);
    if (head.status === 404) this.#lost.set(of, sentIn);
  }

  /** Forgets a request that failed; gives the session that has to be renewed when it was lost under the request. */
  over(request: Id): string | undefined {
    const lost = this.#lost.get(request);
    this.#lost.delete(request);
    this.#sentIn.delete(request);
    return lost;
  }

  /** Runs `begin` once for all who lost the same session; later ones find the new one there. */
  renew(lost: string, begin: () => Promise<void>): Promise<void> {
    if (this.#renewal?.of === lost) return this.#renewal.done;
    const renewal = { of: lost, done: begin() };
    this.#renewal = renewal;
    const waiting = renewal.done
      // The next one that finds the session lost tries anew.
      .catch(() => {
        this.#renewal = undefined;
      })
      .finally(() => {
        if (this.renewing === waiting) this.renewing = undefined;
      });
    this.renewing = waiting;
    return renewal.done;
  }

  /** The headers to fetch a stream again with, from behind an event or from its beginning. */
  placed(place: string | undefined): Headers {
    return place === undefined ? this.#headers : { ...this.#headers, [placeHeader]: place };
  }

  readonly #resume = (place: string): Headers => this.placed(place);

  #compose(): void {
    this.#headers = {
      ...(this.#id === undefined ? {} : { [sessionHeader]: this.#id }),
      ...(this.#revision === undefined ? {} : { [versionHeader]: this.#revision }),
    };
  }
}

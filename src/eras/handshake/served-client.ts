/** What a connection of the handshake era knows once the client has introduced itself. */
import type { ClientView, LogLevel } from '../../tools/context.ts';
import type { Router } from '../era.ts';
import { Asker } from './asker.ts';
import type { RevisionFacts } from './revisions.ts';
import { Subscriptions } from './watch.ts';

/** A server may keep ten thousand of them, most of which are never asked anything and watch nothing. */
export class ServedClient {
  readonly facts: RevisionFacts;
  readonly client: ClientView;
  /** The print of what `initialize` was asked with, to tell a repetition from a change of mind. */
  readonly asked: string;
  /** Log messages below this are not sent. */
  logLevel: LogLevel = 'info';
  /** Begins to hear of a resource, where the server has to be asked for that. */
  relay: ((uri: string) => () => void) | undefined;
  readonly #router: Router;
  #asker: Asker | undefined;
  #subscriptions: Subscriptions | undefined;

  constructor(router: Router, facts: RevisionFacts, client: ClientView, asked: string) {
    this.#router = router;
    this.facts = facts;
    this.client = client;
    this.asked = asked;
  }

  get asker(): Asker {
    this.#asker ??= new Asker();
    return this.#asker;
  }

  get subscriptions(): Subscriptions {
    this.#subscriptions ??= new Subscriptions(this.#router, this.relay);
    return this.#subscriptions;
  }

  /** Whether the client watches the resource. */
  wants(uri: string): boolean {
    return this.#subscriptions?.wants(uri) ?? false;
  }

  close(reason: unknown): void {
    // Made, if need be, so that a question that comes later is refused.
    this.asker.close(reason);
    this.#subscriptions?.close();
  }
}

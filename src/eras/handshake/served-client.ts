/** What a connection of the handshake era knows once the client has introduced itself. */
import type { ClientView, LogLevel } from '../../tools/context.ts';
import type { Router } from '../era.ts';
import { Asker } from './asker.ts';
import type { Introduction } from './introductions.ts';
import type { RevisionFacts } from './revisions.ts';
import { Subscriptions } from './watch.ts';

/** A server may keep ten thousand of them, most of which are never asked anything and watch nothing. */
export class ServedClient {
  /** Log messages below this are not sent. */
  logLevel: LogLevel = 'info';
  /** Begins to hear of a resource, where the server has to be asked for that. */
  relay: ((uri: string) => () => void) | undefined;
  readonly #router: Router;
  readonly #introduction: Introduction;
  #asker: Asker | undefined;
  #subscriptions: Subscriptions | undefined;

  constructor(router: Router, introduction: Introduction) {
    this.#router = router;
    this.#introduction = introduction;
  }

  get facts(): RevisionFacts {
    return this.#introduction.facts;
  }

  get client(): ClientView {
    return this.#introduction.client;
  }

  /** The print of what `initialize` was asked with. */
  get print(): string {
    return this.#introduction.print;
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

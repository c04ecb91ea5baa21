/** Changes in the stateless era: a standing request that is acknowledged, tagged and ended, on both ends. */
import { onAbort } from '../../basics/abort.ts';
import { AsyncQueue } from '../../basics/queue.ts';
import { type Change, type ChangeFilter, changeMethods, wants } from '../../protocol/change.ts';
import { readObject } from '../../protocol/identity.ts';
import type { Id, Params } from '../../rpc/message.ts';
import type { Link } from '../link.ts';
import { mostWaiting } from '../watchers.ts';
import { metaKeys } from './envelope.ts';

const method = 'subscriptions/listen';
const unlimited = { idle: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };

interface Listener {
  readonly id: Id;
  readonly queue: AsyncQueue<Change>;
  /** Forgets the listener without a word to the server; safe to call twice. */
  readonly finish: () => void;
}

/** What a client listens to: one standing request per watcher. */
export class Listening {
  readonly #link: Link;
  readonly #introduction: Params;
  readonly #listeners = new Map<Id, Listener>();

  constructor(link: Link, introduction: Params) {
    this.#link = link;
    this.#introduction = introduction;
  }

  /** Subscribes at once; ends when `signal` aborts, its reader leaves or the server ends it. */
  watch(filter: ChangeFilter, signal: AbortSignal): AsyncIterable<Change> {
    const id = this.#link.nextId();
    const stopped = new AbortController();
    let stop = (): void => {};
    const finish = (): void => {
      stop();
      this.#listeners.delete(id);
      queue.end();
    };
    const leave = (): void => {
      finish();
      stopped.abort();
    };
    const queue = new AsyncQueue<Change>({ limit: mostWaiting, abandoned: leave });
    this.#listeners.set(id, { id, queue, finish });
    stop = onAbort(signal, leave);
    const params = { notifications: filterMembers(filter), _meta: this.#introduction };
    const giveUp = (given: Id): void => this.#giveUp(given);
    const request = { method, limits: unlimited, signal: stopped.signal, giveUp };
    this.#link.request(id, params, request).then(finish, (error: unknown) => {
      if (!stopped.signal.aborted) queue.fail(error);
      finish();
    });
    return queue;
  }

  acknowledged(tag: unknown, params: Params | undefined): void {
    const honoured = readObject(params?.['notifications']);
    const message = `the server tells of ${Object.keys(honoured).join(', ') || 'nothing that was asked for'}`;
    this.#link.diagnostic({ kind: 'watching', message, data: { subscription: tag, honoured } });
  }

  tell(tag: unknown, change: Change): void {
    const listener = this.#find(tag);
    if (listener) listener.queue.push(change);
    else {
      const message = `dropped a change of ${change.kind} that belongs to no subscription of ours`;
      this.#link.diagnostic({ kind: 'unknown-subscription', message });
    }
  }

  /** The server ended a subscription by a notification: no answer will come. */
  ended(tag: unknown): void {
    const listener = this.#find(tag);
    if (!listener) return;
    listener.finish();
    this.#link.inflight.fail(listener.id, new Error('the server ended the subscription'));
  }

  close(): void {
    for (const { finish } of [...this.#listeners.values()]) finish();
  }

  #find(tag: unknown): Listener | undefined {
    return this.#listeners.get(tag as Id) ?? this.#listeners.get(Number(tag));
  }

  #giveUp(id: Id): void {
    if (this.#link.replyStreams) this.#link.abandon(id);
    else this.#link.notify('notifications/cancelled', { requestId: id, reason: 'no longer watched' });
  }
}

/** A filter as it travels. */
function filterMembers(filter: ChangeFilter): Params {
  return {
    ...(filter.tools ? { toolsListChanged: true } : {}),
    ...(filter.prompts ? { promptsListChanged: true } : {}),
    ...(filter.resources ? { resourcesListChanged: true } : {}),
    ...(filter.uris && filter.uris.length > 0 ? { resourceSubscriptions: filter.uris } : {}),
  };
}

/** A filter as it came, cut down to what the server's capabilities promise. */
export function readFilter(params: Params | undefined, capabilities: Params): ChangeFilter {
  const asked = readObject(params?.['notifications']);
  const promises = (name: string, member: string): boolean => readObject(capabilities[name])[member] === true;
  const uris = asked['resourceSubscriptions'];
  const subscribes = promises('resources', 'subscribe') && Array.isArray(uris);
  return {
    tools: asked['toolsListChanged'] === true && promises('tools', 'listChanged'),
    prompts: asked['promptsListChanged'] === true && promises('prompts', 'listChanged'),
    resources: asked['resourcesListChanged'] === true && promises('resources', 'listChanged'),
    uris: subscribes ? uris.filter(uri => typeof uri === 'string') : [],
  };
}

/** The notification that acknowledges a subscription with what will be honoured. */
export function acknowledgement(id: Id, filter: ChangeFilter): { method: string; params: Params } {
  const params = { notifications: filterMembers(filter), _meta: { [metaKeys.subscription]: id } };
  return { method: 'notifications/subscriptions/acknowledged', params };
}

/** The tagged notification of a change, when the filter asks for it. */
export function tagged(
  id: Id,
  filter: ChangeFilter,
  change: Change,
): { method: string; params: Params } | undefined {
  if (!wants(filter, change)) return undefined;
  const about = change.kind === 'resource' ? { uri: change.uri } : {};
  return { method: changeMethods[change.kind], params: { ...about, _meta: { [metaKeys.subscription]: id } } };
}

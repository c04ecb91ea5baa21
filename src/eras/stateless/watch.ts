/** Changes in the stateless era: a standing request that is acknowledged, tagged and ended, on both ends. */
import { onAbort } from '../../basics/abort.ts';
import { AsyncQueue } from '../../basics/queue.ts';
import { type Change, type ChangeFilter, changeMethods, wants } from '../../protocol/change.ts';
import { readObject } from '../../protocol/identity.ts';
import type { Id, Params } from '../../rpc/message.ts';
import type { Link } from '../link.ts';
import { untilLeft } from '../watchers.ts';
import { metaKeys } from './envelope.ts';

const method = 'subscriptions/listen';
const unlimited = { idle: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };

/** What a client listens to: one standing request per watcher. */
export class Listening {
  readonly #link: Link;
  readonly #introduction: Params;
  readonly #queues = new Map<Id, AsyncQueue<Change>>();

  constructor(link: Link, introduction: Params) {
    this.#link = link;
    this.#introduction = introduction;
  }

  /** Subscribes at once; ends when `signal` aborts or the server ends it. */
  watch(filter: ChangeFilter, signal: AbortSignal): AsyncIterable<Change> {
    const queue = new AsyncQueue<Change>();
    const id = this.#link.nextId();
    this.#queues.set(id, queue);
    const stopped = new AbortController();
    let stop = (): void => {};
    const finish = (): void => {
      stop();
      stopped.abort();
      queue.end();
      this.#queues.delete(id);
    };
    stop = onAbort(signal, finish);
    const giveUp = (given: Id): void => {
      if (this.#link.replyStreams) this.#link.abandon(given);
      else this.#link.notify('notifications/cancelled', { requestId: given, reason: 'no longer watched' });
    };
    const params = { notifications: filterMembers(filter), _meta: this.#introduction };
    const request = { method, limits: unlimited, signal: stopped.signal, giveUp };
    this.#link.request(id, params, request).then(
      () => queue.end(),
      (error: unknown) => (stopped.signal.aborted ? queue.end() : queue.fail(error)),
    );
    return untilLeft(queue, finish);
  }

  acknowledged(tag: unknown, params: Params | undefined): void {
    const honoured = readObject(params?.['notifications']);
    const message = `the server tells of ${Object.keys(honoured).join(', ') || 'nothing that was asked for'}`;
    this.#link.diagnostic({ kind: 'watching', message, data: { subscription: tag, honoured } });
  }

  tell(tag: unknown, change: Change): void {
    const queue = this.#find(tag);
    if (queue) queue.push(change);
    else {
      const message = `dropped a change of ${change.kind} that belongs to no subscription of ours`;
      this.#link.diagnostic({ kind: 'unknown-subscription', message });
    }
  }

  /** The server ended a subscription by a notification. */
  ended(tag: unknown): void {
    this.#find(tag)?.end();
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.end();
  }

  #find(tag: unknown): AsyncQueue<Change> | undefined {
    return this.#queues.get(tag as Id) ?? this.#queues.get(Number(tag));
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

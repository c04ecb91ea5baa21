/** Changes in the stateless era: a standing request that is acknowledged, tagged and ended, on both ends. */
import { onAbort } from '../../basics/abort.ts';
import { AsyncQueue } from '../../basics/queue.ts';
import { type Change, type ChangeFilter, changeMethods, wants } from '../../protocol/change.ts';
import { readObject } from '../../protocol/identity.ts';
import { isConnectionError } from '../../rpc/connection-error.ts';
import type { Id, Params } from '../../rpc/message.ts';
import type { Link } from '../link.ts';
import { mostWaiting } from '../watchers.ts';
import { metaKeys } from './envelope.ts';

const method = 'subscriptions/listen';
const longestRest = 60_000;
const unlimited = { idle: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };

interface Listener {
  id: Id;
  readonly filter: ChangeFilter;
  /** Whether the server ever took the subscription. */
  taken: boolean;
  /** Times in a row that it was lost before the server took it again. */
  failures: number;
  readonly queue: AsyncQueue<Change>;
  /** Forgets the listener without a word to the server; safe to call twice. */
  readonly finish: () => void;
}

/** Takes the method and the parameters of a notification. */
type Hear = (method: string, params: Params) => void;

/** What a client listens to: one standing request per watcher. */
export class Listening {
  readonly #link: Link;
  readonly #introduction: Params;
  readonly #listeners = new Map<Id, Listener>();
  readonly #hearers = new Map<Id, Hear>();

  constructor(link: Link, introduction: Params) {
    this.#link = link;
    this.#introduction = introduction;
  }

  /**
   * Subscribes at once; ends when `signal` aborts, its reader leaves or the server ends it. One that was only cut off,
   * as idle streams are, is asked for again.
   */
  watch(filter: ChangeFilter, signal: AbortSignal): AsyncIterable<Change> {
    const stopped = new AbortController();
    let stop = (): void => {};
    let rest = (): void => {};
    let over = false;
    const finish = (): void => {
      over = true;
      stop();
      rest();
      this.#listeners.delete(listener.id);
      queue.end();
    };
    const leave = (): void => {
      finish();
      stopped.abort();
    };
    const queue = new AsyncQueue<Change>({ limit: mostWaiting, abandoned: leave });
    const listener: Listener = { id: 0, filter, taken: false, failures: 0, queue, finish };
    const params = { notifications: filterMembers(filter), _meta: this.#introduction };
    const giveUp = (given: Id): void => this.#giveUp(given);
    const fail = (error: unknown): void => {
      queue.fail(error);
      finish();
    };
    const subscribe = (): void => {
      const id = this.#link.nextId();
      this.#listeners.delete(listener.id);
      listener.id = id;
      this.#listeners.set(id, listener);
      const request = { method, limits: unlimited, signal: stopped.signal, giveUp };
      this.#link.request(id, params, request).then(finish, (error: unknown) => {
        if (over) finish();
        else if (this.#link.replyStreams && listener.taken && isPassing(error) && !this.#link.lost) {
          rest = this.#rest(listener, subscribe, fail);
        } else fail(error);
      });
    };
    if (!signal.aborted) subscribe();
    stop = onAbort(signal, leave);
    return queue;
  }

  /** Waits, longer each time, and then goes on; returns what ends the waiting. */
  #rest(listener: Listener, goOn: () => void, fail: (error: unknown) => void): () => void {
    const { gone, clock } = this.#link;
    const wait = Math.min(1000 * 2 ** Math.min(listener.failures, 16), longestRest);
    listener.failures += 1;
    const timer = clock.after(wait, () => {
      off();
      goOn();
    });
    const off = onAbort(gone, () => {
      timer.cancel();
      fail(gone.reason);
    });
    return () => {
      timer.cancel();
      off();
    };
  }

  /** Asks for news by a filter of an extension's own, until `signal` aborts. That none comes is no failure. */
  hear(filter: Params, signal: AbortSignal, heard: Hear): void {
    const id = this.#link.nextId();
    this.#hearers.set(id, heard);
    const params = { notifications: filter, _meta: this.#introduction };
    const request = { method, limits: unlimited, signal, giveUp: (given: Id) => this.#giveUp(given) };
    const forget = (): void => void this.#hearers.delete(id);
    this.#link.request(id, params, request).then(forget, forget);
  }

  /** A notification that tells of no change may be what an extension asked for. */
  told(tag: unknown, told: string, params: Params | undefined): void {
    const heard = this.#hearers.get(tag as Id) ?? this.#hearers.get(Number(tag));
    heard?.(told, params ?? {});
  }

  acknowledged(tag: unknown, params: Params | undefined): void {
    const honoured = readObject(params?.['notifications']);
    const message = `the server tells of ${Object.keys(honoured).join(', ') || 'nothing that was asked for'}`;
    this.#link.diagnostic({ kind: 'watching', message, data: { subscription: tag, honoured } });
    const listener = this.#find(tag);
    if (!listener) return;
    // What happened while nobody listened is not known, so that everything is worth another look.
    if (listener.taken) for (const change of allOf(listener.filter)) listener.queue.push(change);
    listener.taken = true;
    listener.failures = 0;
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
    listener?.finish();
    const id = listener?.id ?? (this.#hearers.has(tag as Id) ? (tag as Id) : undefined);
    if (id !== undefined) this.#link.inflight.fail(id, new Error('the server ended the subscription'));
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

/** Whether a subscription was lost for a reason that may pass. */
function isPassing(error: unknown): boolean {
  if (!isConnectionError(error)) return false;
  const { status = 200 } = error;
  return status < 300 || status === 429 || status >= 500;
}

function allOf({ tools, prompts, resources, uris = [] }: ChangeFilter): Change[] {
  return [
    ...(tools ? [{ kind: 'tools' } as const] : []),
    ...(prompts ? [{ kind: 'prompts' } as const] : []),
    ...(resources ? [{ kind: 'resources' } as const] : []),
    ...uris.map(uri => ({ kind: 'resource', uri }) as const),
  ];
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

/** The notification that acknowledges a subscription with what will be honoured, `more` beside the filter. */
export function acknowledgement(
  id: Id,
  filter: ChangeFilter,
  more: Params,
): { method: string; params: Params } {
  const notifications = { ...filterMembers(filter), ...more };
  const params = { notifications, _meta: { [metaKeys.subscription]: id } };
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

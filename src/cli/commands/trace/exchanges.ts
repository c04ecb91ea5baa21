/** The messages of a recording as steps: each request with its answer, notifications, and what became of connections; pure. */
import { isObject } from '../../../basics/json.ts';
import type { RecordedMessage } from '../../recording/line.ts';
import { argumentsOf, firstLine, reasonOf, textOf, wordsOf } from './read-value.ts';
import { StepNode } from './step.ts';

type Values = Readonly<Record<string, unknown>>;

/** Where steps of messages go. */
export interface ExchangePlace {
  /** What else goes on, when that is one thing. */
  readonly around: () => StepNode;
  readonly openTools: ReadonlySet<StepNode>;
  /** Whether there is more than one. */
  readonly namesServers: boolean;
}

export class Exchanges {
  readonly #place: ExchangePlace;
  /** Requests without an answer, by server, who asked, and id. */
  readonly #open = new Map<string, StepNode>();
  /** Tools of a run that have their request already. */
  readonly #taken = new Set<StepNode>();

  constructor(place: ExchangePlace) {
    this.#place = place;
  }

  message({ at, server, direction, message }: RecordedMessage): void {
    for (const each of Array.isArray(message) ? message : [message]) {
      const { method, id, params } = isObject(each) ? each : {};
      const facts = { at, server, direction };
      if (typeof method !== 'string') this.#answer(facts, id, isObject(each) ? each : { result: each });
      else if (id === undefined) this.#notify(facts, method, params);
      else this.#ask(facts, id, method, isObject(params) ? params : {});
    }
  }

  /** What became of a connection, or of one reply. */
  connection(at: number, event: Values): void {
    const { server, state, id, error } = event;
    const name = textOf(server);
    const reason = reasonOf(error);
    if (state === 'unanswered') {
      this.#end(keyOf(name, 'sent', id), at, reason, { error });
      return;
    }
    // Whoever records has closed it, which needs no step.
    const isOrderly = state === 'closed' && isObject(error) && error['reason'] === 'closed';
    if (!isOrderly) {
      const what = state === 'failed' ? 'cannot be reached' : 'is gone';
      this.#place.around().happen('note', `${name} ${what}`, at, { error }).fail(firstLine(reason));
    }
    const lost = [...this.#open.keys()].filter(key => key.startsWith(`${name}\n`));
    for (const key of lost)
      this.#end(key, at, isOrderly ? undefined : reason, {}, 'the connection was closed');
  }

  diagnostic(at: number, { server, kind, message }: Values): void {
    const title = `${textOf(server)}: ${textOf(kind)}`;
    this.#place.around().happen('note', title, at, { message }).said = firstLine(textOf(message));
  }

  #ask({ at, server, direction }: Place, id: unknown, method: string, params: Values): void {
    const what = whatOf(params);
    const title = `${this.#sideOf(server, direction)} ${method}${what === '' ? '' : ` ${what}`}`;
    const node = new StepNode('request', title, at, { request: params });
    node.said = argumentsOf(params['arguments'] ?? {});
    this.#open.set(keyOf(server, direction, id), node);
    const tool = method.startsWith('tools/') && direction === 'sent' ? this.#toolFor(params) : undefined;
    (tool ?? this.#place.around()).add(node);
  }

  #answer({ at, server, direction }: Place, id: unknown, { result, error }: Values): void {
    const asked = direction === 'sent' ? 'received' : 'sent';
    const key = keyOf(server, asked, id);
    if (!this.#open.has(key)) {
      const title = `${this.#sideOf(server, direction)} an answer that nobody waits for`;
      this.#place.around().happen('notice', title, at, { answer: result ?? error });
      return;
    }
    // To ask for a method is how one finds out whether a server has it.
    const isMissing = isObject(error) && error['code'] === missingMethod && !asksFor(this.#open.get(key));
    if (isMissing) {
      this.#end(key, at, undefined, { error }, 'there is no such method');
      return;
    }
    const isError = error !== undefined || (isObject(result) && result['isError'] === true);
    const said = error === undefined ? wordsOf(result) : reasonOf(error);
    this.#end(
      key,
      at,
      isError ? said : undefined,
      error === undefined ? { answer: result } : { error },
      said,
    );
  }

  #notify({ at, server, direction }: Place, method: string, params: unknown): void {
    const title = `${this.#sideOf(server, direction)} ${method}`;
    const details = params === undefined ? {} : { params };
    const node = this.#place.around().happen('notice', title, at, details);
    const { requestId, message, progress, data } = isObject(params) ? params : {};
    node.said = firstLine(textOf(message ?? data ?? progress));
    if (requestId !== undefined && method.endsWith('/cancelled')) {
      const key = keyOf(server, direction, requestId);
      // What was asked for no thing, such as to be told of changes, is given up when it is not needed any more.
      this.#end(key, at, asksFor(this.#open.get(key)) ? 'cancelled' : undefined, {}, 'cancelled');
    }
  }

  /** Which way it went, and where to. */
  #sideOf(server: string, direction: RecordedMessage['direction']): string {
    return `${direction === 'sent' ? '→' : '←'}${this.#place.namesServers ? ` ${server}:` : ''}`;
  }

  /** `why`: it failed. */
  #end(key: string, at: number, why: string | undefined, details: Values, said = ''): void {
    const node = this.#open.get(key);
    if (node === undefined) return;
    this.#open.delete(key);
    node.end(at, details);
    if (why !== undefined && !isStanding(node)) node.fail(firstLine(why));
    // The words of an answer without any are its JSON, which says little on a line.
    else if (!(why ?? said).startsWith('{'))
      node.said = [node.said, firstLine(why ?? said)].filter(each => each !== '').join(' → ');
  }

  /** The running tool whose call this request is: by name, and of several by arguments; nothing where that is open. */
  #toolFor(params: Values): StepNode | undefined {
    const name = textOf(params['name']);
    const fits = [...this.#place.openTools].filter(
      tool => !this.#taken.has(tool) && name !== '' && tool.title.endsWith(name),
    );
    const wanted = argumentsOf(params['arguments'] ?? {});
    const alike = fits.filter(({ details }) => argumentsOf(details['arguments']) === wanted);
    const found = fits.length === 1 ? fits[0] : alike[0];
    if (found !== undefined) this.#taken.add(found);
    return found;
  }
}

/** JSON-RPC. */
const missingMethod = -32601;

/** Whether it is about something, such as a tool. */
function asksFor(node: StepNode | undefined): boolean {
  const request = node?.details['request'];
  return isObject(request) && whatOf(request) !== '';
}

/** Whether it is to be told of changes: that ends when nobody watches any more, by whatever way, and has no result. */
function isStanding({ details: { request, error } }: StepNode): boolean {
  const isRefused = isObject(error) && error['code'] !== undefined;
  return isObject(request) && isObject(request['notifications']) && !isRefused;
}

type Place = Pick<RecordedMessage, 'at' | 'server' | 'direction'>;

function keyOf(server: string, direction: string, id: unknown): string {
  return `${server}\n${direction} ${textOf(id)}`;
}

/** What a request is about: a tool, a prompt, a resource. */
function whatOf({ name, uri }: Values): string {
  return firstLine(textOf(name ?? uri));
}

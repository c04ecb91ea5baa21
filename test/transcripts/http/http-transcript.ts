/** HTTP exchanges as text: prose on top, then a request and its whole reply, one line each. */
import { setImmediate as turn } from 'node:timers/promises';

export interface SentRequest {
  readonly method: string;
  /** Where it goes, counted from the endpoint; absent when that is the endpoint itself. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The client left when it had what the reply shows. */
  readonly leaves?: true;
}

export interface GivenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of an event stream. */
  readonly events?: readonly unknown[];
}

export interface HttpExchange {
  readonly request: SentRequest;
  readonly reply: GivenReply;
}

/** One request of a transcript, its ids still covered, and how many events its reply had. */
export interface RecordedRequest {
  readonly line: string;
  readonly events: number;
}

export type Handle = (request: Request) => Promise<Response>;

export const endpoint = 'http://127.0.0.1/mcp';

export function parseHttp(text: string): {
  readonly prose: string;
  readonly requests: readonly RecordedRequest[];
} {
  const lines = text.split('\n');
  const first = lines.findIndex(line => line.startsWith('> '));
  const requests = lines.flatMap((line, at) => {
    if (!line.startsWith('> ')) return [];
    const next = lines[at + 1] ?? '';
    const reply = next.startsWith('< ') ? (JSON.parse(next.slice(2)) as GivenReply) : undefined;
    return [{ line: line.slice(2), events: reply?.events?.length ?? 0 }];
  });
  return { prose: (first < 0 ? lines : lines.slice(0, first)).join('\n').trim(), requests };
}

export function printHttp(prose: string, exchanges: readonly HttpExchange[], covers = new Covers()): string {
  const lines = exchanges.flatMap(({ request, reply }) => [
    `> ${JSON.stringify(request)}`,
    `< ${JSON.stringify(reply)}`,
  ]);
  return `${prose}\n\n${covers.cover(lines.join('\n'))}\n`;
}

/** What differs each time is numbered in the order in which it appears: random ids, sealed state; times are all alike. */
export class Covers {
  readonly #covers = new Map<string, string>();

  cover(text: string): string {
    return text
      .replaceAll(/(?<="requestState":")[^"(]+/g, state => this.#name('state', state))
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => this.#name('id', id))
      .replaceAll(/(?<=")\d{4}-\d\d-\d\dT[\d:.]+Z(?=")/g, '(time)');
  }

  uncover(text: string): string {
    return [...this.#covers].reduce((all, [given, cover]) => all.replaceAll(cover, given), text);
  }

  #name(kind: string, given: string): string {
    const cover = this.#covers.get(given) ?? `(${kind} ${this.#covers.size + 1})`;
    this.#covers.set(given, cover);
    return cover;
  }
}

/** A `fetch` that asks `handle` and keeps what went there and back, in the order of the requests. */
export function recordingFetch(handle: Handle): {
  fetch: typeof fetch;
  exchanges(): Promise<readonly HttpExchange[]>;
} {
  const kept: Promise<HttpExchange>[] = [];
  return {
    exchanges: () => Promise.all(kept),
    fetch: async (url, init) => {
      const { method = 'GET', headers, body, signal } = init ?? {};
      const given = handle(new Request(url as string, init));
      const path = String(url).replace(endpoint, '');
      const request: SentRequest = {
        method,
        ...(path === '' ? {} : { path }),
        headers: { ...(headers as Record<string, string>) },
        ...(typeof body === 'string' ? { body: JSON.parse(body) as unknown } : {}),
      };
      const copy = given.then(response => response.clone());
      const exchange = async (): Promise<HttpExchange> => {
        const reply = await readReply(await copy);
        const left = signal?.aborted === true && isOpen(request, reply);
        return { request: left ? { ...request, leaves: true } : request, reply };
      };
      kept.push(exchange());
      return given;
    },
  };
}

/** True for an event stream that the server would have gone on with: without an answer, and not ended with a session. */
function isOpen({ method, headers, body }: SentRequest, { events }: GivenReply): boolean {
  if (!events || (method === 'GET' && 'mcp-session-id' in headers)) return false;
  const { id } = (body ?? {}) as { readonly id?: unknown };
  const isAnswer = (event: unknown): boolean => {
    const { data } = event as { readonly data?: unknown };
    return typeof data === 'object' && data !== null && 'id' in data && data.id === id && !('method' in data);
  };
  return method === 'GET' || !events.some(isAnswer);
}

/** Sends the requests of a transcript one by one, each when the one before has its first piece of reply. */
export async function replayHttp(
  handle: Handle,
  requests: readonly RecordedRequest[],
  covers: Covers,
): Promise<readonly HttpExchange[]> {
  const kept: Promise<HttpExchange>[] = [];
  for (const { line, events } of requests) {
    const request = JSON.parse(covers.uncover(line)) as SentRequest;
    const { method, path = '', headers, body, leaves } = request;
    const client = new AbortController();
    const init = { method, headers, signal: client.signal };
    const sent = new Request(
      endpoint + path,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    );
    const response = await handle(sent);
    covers.cover(JSON.stringify([...response.headers]));
    const begun = new Promise<void>(resolve => {
      const heard = (text: string): void => {
        covers.cover(text);
        resolve();
        if (leaves && blocksOf(text).length >= events) client.abort();
      };
      kept.push(readReply(response, heard).then(reply => ({ request, reply })));
    });
    // What comes on a stream of its own is not waited for.
    await Promise.race([begun, turn()]);
    await turn();
  }
  return Promise.all(kept);
}

/** `heard` is told all that came so far, each time that more comes. */
async function readReply(response: Response, heard: (text: string) => void = () => {}): Promise<GivenReply> {
  const headers = Object.fromEntries(response.headers);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    heard(text);
  }
  const facts = { status: response.status, headers };
  if (headers['content-type']?.includes('event-stream'))
    return { ...facts, events: blocksOf(text).map(readEvent) };
  return text === '' ? facts : { ...facts, body: JSON.parse(text) };
}

function blocksOf(text: string): readonly string[] {
  // What stands behind the last empty line is no event yet.
  return text
    .split('\n\n')
    .slice(0, -1)
    .filter(block => block !== '');
}

function readEvent(block: string): unknown {
  const fields = block.split('\n').map(line => /^([a-z]*): ?(.*)$/.exec(line) ?? []);
  return Object.fromEntries(
    fields.map(([, name = '', value = '']) => [
      name || 'comment',
      name === 'data' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  );
}

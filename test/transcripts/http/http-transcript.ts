/** HTTP exchanges as text: prose on top, then a request and its whole reply, one line each. */

export interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
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

type Handle = (request: Request) => Promise<Response>;

export const endpoint = 'http://127.0.0.1/mcp';

export function parseHttp(text: string): { readonly prose: string; readonly requests: readonly string[] } {
  const lines = text.split('\n');
  const first = lines.findIndex(line => line.startsWith('> '));
  return {
    prose: (first < 0 ? lines : lines.slice(0, first)).join('\n').trim(),
    requests: lines.filter(line => line.startsWith('> ')).map(line => line.slice(2)),
  };
}

/** Random ids are numbered in the order in which they appear. */
export class Covers {
  readonly #covers = new Map<string, string>();

  cover(text: string): string {
    return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => {
      const cover = this.#covers.get(id) ?? `(id ${this.#covers.size + 1})`;
      this.#covers.set(id, cover);
      return cover;
    });
  }

  uncover(text: string): string {
    return [...this.#covers].reduce((all, [id, cover]) => all.replaceAll(cover, id), text);
  }
}

export function printHttp(prose: string, exchanges: readonly HttpExchange[], covers = new Covers()): string {
  const lines = exchanges.flatMap(({ request, reply }) => [
    `> ${JSON.stringify(request)}`,
    `< ${JSON.stringify(reply)}`,
  ]);
  return `${prose}\n\n${covers.cover(lines.join('\n'))}\n`;
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
      const { method = 'GET', headers, body } = init ?? {};
      const given = handle(new Request(url as string, init));
      const request: SentRequest = {
        method,
        headers: { ...(headers as Record<string, string>) },
        ...(typeof body === 'string' ? { body: JSON.parse(body) as unknown } : {}),
      };
      const copy = given.then(response => response.clone());
      kept.push(copy.then(async response => ({ request, reply: await readReply(response) })));
      return given;
    },
  };
}

/** Sends the requests of a transcript one by one, each when the one before has its first byte of reply. */
export async function replayHttp(
  handle: Handle,
  requests: readonly string[],
  covers: Covers,
): Promise<readonly HttpExchange[]> {
  const kept: Promise<HttpExchange>[] = [];
  for (const line of requests) {
    const request = JSON.parse(covers.uncover(line)) as SentRequest;
    const { method, headers, body } = request;
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await handle(new Request(endpoint, init));
    covers.cover(JSON.stringify([...response.headers]));
    const first = response.clone();
    kept.push(readReply(response).then(reply => ({ request, reply })));
    covers.cover(await firstText(first));
  }
  return Promise.all(kept);
}

async function firstText(response: Response): Promise<string> {
  // Whatever comes on a stream of its own is not waited for.
  if (response.body === null || response.headers.get('content-type') === null) return '';
  const reader = response.body.getReader();
  const { value } = await Promise.race([
    reader.read(),
    new Promise<{ value: undefined }>(resolve => setImmediate(() => resolve({ value: undefined }))),
  ]);
  reader.cancel().catch(() => undefined);
  return value === undefined ? '' : new TextDecoder().decode(value as Uint8Array);
}

async function readReply(response: Response): Promise<GivenReply> {
  const headers = Object.fromEntries(response.headers);
  const text = await response.text();
  const facts = { status: response.status, headers };
  if (text === '' && !headers['content-type']?.includes('event-stream')) return facts;
  if (!headers['content-type']?.includes('event-stream')) return { ...facts, body: JSON.parse(text) };
  const blocks = text.split('\n\n').filter(block => block !== '');
  return { ...facts, events: blocks.map(readEvent) };
}

function readEvent(block: string): unknown {
  const fields = block.split('\n').map(line => /^([a-z]*): ?(.*)$/.exec(line) ?? []);
  return Object.fromEntries(
    fields.map(([, name = '', value = '']) => [
      name || 'comment',
      name === 'data' && value !== '' ? (JSON.parse(value) as unknown) : value,
    ]),
  );
}

/** HTTP requests by a `fetch` function: the platform's, or one that the user gives. */
import type { HttpCall, HttpTransport, ReplyListener } from './http-transport.ts';

/** What is used of `fetch`; the platform's own fits. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchReply>;

export interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface FetchReply {
  readonly status: number;
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  readonly body: FetchBody | null;
}

interface FetchBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

export function fetchTransport(fetch: Fetch): HttpTransport {
  const open = new Set<() => void>();
  return {
    begin(call, listener) {
      // A signal of its own: one that all requests share would gather a listener from each.
      const controller = new AbortController();
      const drop = (): void => {
        open.delete(drop);
        controller.abort();
      };
      open.add(drop);
      void run(fetch, call, listener, controller.signal).finally(() => open.delete(drop));
      return drop;
    },
    close() {
      for (const drop of [...open]) drop();
    },
  };
}

async function run(
  fetch: Fetch,
  call: HttpCall,
  listener: ReplyListener,
  signal: AbortSignal,
): Promise<void> {
  const { method, url, headers, body } = call;
  let reply: FetchReply;
  try {
    reply = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    });
    if (reply.type === 'opaqueredirect') {
      throw new Error('the server redirects, and this platform does not show where to; use the final URL');
    }
  } catch (error) {
    if (!signal.aborted) listener.failed({ error, unsent: neverLeft(error) });
    return;
  }
  const reader = reply.body?.getReader();
  const leave = (): void => void reader?.cancel().catch(() => undefined);
  if (signal.aborted) {
    leave();
    return;
  }
  // A `fetch` that heeds no signal is left all the same.
  signal.addEventListener('abort', leave, { once: true });
  try {
    listener.head({ status: reply.status, header: name => reply.headers.get(name) ?? undefined });
    for (;;) {
      if (signal.aborted) return;
      const { done, value } = reader ? await reader.read() : { done: true, value: undefined };
      if (signal.aborted) return;
      if (done) break;
      if (value) listener.data(value);
    }
    listener.end();
  } catch (error) {
    if (!signal.aborted) listener.failed({ error, unsent: false });
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

const before =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** `fetch failed` says nothing; what is behind it may. */
function neverLeft(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  const { code } = (cause ?? error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && before.test(code);
}

/** The one contract below the HTTP client: starts a request and tells of its reply; redirects and meaning are not its business. */
import type { ReplyHead } from './channel.ts';

/** One HTTP request; header names are in lower case. */
export interface HttpCall {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** True for what waits for an answer and may wait long; all else must not queue behind it. */
  readonly waits: boolean;
}

/** Why a request failed, as the platform tells it. */
export interface TransportFault {
  readonly error: unknown;
  /** True when the request surely never left. */
  readonly unsent: boolean;
}

/** Hears of one reply: its head, its pieces, then its end; or `failed` at any point. Nothing after an end or a failure. */
export interface ReplyListener {
  head(head: ReplyHead): void;
  data(chunk: Uint8Array): void;
  end(): void;
  failed(fault: TransportFault): void;
}

export interface HttpTransport {
  /** Never throws. Calling what it returns drops the request; the listener hears nothing more. */
  begin(call: HttpCall, listener: ReplyListener): () => void;
  /** Closes every connection that is left. */
  close(): void;
}

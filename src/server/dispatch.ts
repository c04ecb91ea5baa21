/** One message in, its answer out: a server tried in process, without a transport or a handshake. */
import { onAbort } from '../basics/abort.ts';
import type { Acceptor } from '../channels/channel.ts';
import type { Message, Response } from '../rpc/message.ts';

export interface DispatchContext {
  /** Who the caller proved to be. */
  readonly principal?: string;
  /** Cancels the request, which then has no answer. */
  readonly signal?: AbortSignal;
  /** Progress, logs and questions on the way to the answer. */
  readonly onMessage?: (message: Message) => void;
  /** What an `initialize` sent before this message would have said, for messages without an envelope of their own. */
  readonly initialize?: Readonly<Record<string, unknown>>;
}

const setupId = 'tenon-dispatch-setup';

/**
 * Gives one message to a server and resolves with its answer, or with nothing for a notification or a response. A
 * request without an envelope is served as if its client had introduced itself with `context.initialize`.
 */
export async function dispatch(
  server: Acceptor,
  message: unknown,
  context: DispatchContext = {},
): Promise<Response | undefined> {
  if (context.signal?.aborted) return undefined;
  let answer: Response | undefined;
  let settle: () => void = () => {};
  const settled = new Promise<void>(resolve => {
    settle = resolve;
  });
  const exchange = {
    ...(context.principal === undefined ? {} : { principal: context.principal }),
    send(sent: Message | readonly Message[]): void {
      if (Array.isArray(sent) || 'method' in sent) {
        for (const each of Array.isArray(sent) ? sent : [sent]) context.onMessage?.(each);
      } else if ((sent as Response).id !== setupId) {
        answer = sent as Response;
        settle();
      }
    },
    dropped: () => settle(),
  };
  const inlet = server.accept(exchange, { replyStreams: true });
  const params = { clientInfo: { name: 'dispatch', version: '0' }, capabilities: {}, ...context.initialize };
  const method = readMethod(message);
  if (method !== 'initialize')
    inlet.receive({ jsonrpc: '2.0', id: setupId, method: 'initialize', params }, exchange);
  inlet.receive(message, exchange);
  // As a client does it, and not by the exchange's own signal, which only some eras heed.
  const cancel = (): void => inlet.receive(cancellation(message), exchange);
  const stop = context.signal && onAbort(context.signal, cancel);
  if (inlet.running > 0) await settled;
  stop?.();
  await inlet.close(new DOMException('the message was answered', 'AbortError'));
  return answer;
}

function cancellation(message: unknown): Message {
  const requestId = (message as { readonly id?: unknown } | null)?.id;
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

function readMethod(message: unknown): unknown {
  return typeof message === 'object' && message !== null
    ? (message as { method?: unknown }).method
    : undefined;
}

/** Failures of the server behind a proxy in the words for a client in front of it: no command lines, no stderr. */
import { isTimeoutError } from '../../basics/timeout-error.ts';
import { isResourceNotFound } from '../../eras/index.ts';
import type { Call, Outcome } from '../../protocol/call.ts';
import { isVersionError, ResourceNotFound } from '../../protocol/errors.ts';
import { isConnectionError } from '../../rpc/connection-error.ts';
import { codes, isProtocolError, ProtocolError } from '../../rpc/protocol-error.ts';

type Report = (message: string, cause: unknown) => void;

/** Too many connections are in use. */
export function busy(most: number): ProtocolError {
  return new ProtocolError(codes.internalError, describeBusy(most));
}

export function describeBusy(most: number): string {
  return `busy: all ${most} connections to the server behind this proxy are in use; try again later`;
}

/** Whoever runs the proxy has ended it. */
export function closed(): ProtocolError {
  return new ProtocolError(codes.internalError, 'this proxy is closing');
}

/** The connection that a session stands on is gone, and with it what the server remembered. */
export function sessionOver(): ProtocolError {
  const why = 'the server behind this proxy has ended, and this session with it; connect again';
  return new ProtocolError(codes.internalError, why);
}

/** What to answer when no connection could be made; details go to `report` alone. */
export function unreachable(thrown: unknown, report: Report): unknown {
  if (
    isConnectionError(thrown) ||
    isTimeoutError(thrown) ||
    isVersionError(thrown) ||
    isProtocolError(thrown)
  ) {
    report('the server behind the proxy could not be reached', thrown);
    const { reason } = thrown as { readonly reason?: unknown };
    const word = isConnectionError(thrown) && typeof reason === 'string' ? ` (${reason})` : '';
    const why = `the server behind this proxy could not be reached${word}; whoever runs the proxy can see why`;
    return new ProtocolError(codes.internalError, why);
  }
  return thrown;
}

/** What a call comes to that failed behind the proxy. Throws what is to be answered with an error. */
export function answerFailure(call: Call, thrown: unknown, report: Report): Outcome {
  const uri = call.params['uri'];
  if (call.method === 'resources/read' && typeof uri === 'string' && isResourceNotFound(thrown)) {
    throw new ResourceNotFound(uri);
  }
  if (isTimeoutError(thrown)) {
    report(`${call.method}: the server behind the proxy did not answer in time`, thrown);
    throw new ProtocolError(
      codes.internalError,
      `${call.method}: the server behind this proxy did not answer in time`,
    );
  }
  if (!isConnectionError(thrown)) throw thrown;
  // One that the proxy closed itself is no news.
  if (thrown.reason !== 'closed') {
    report(`${call.method}: the connection to the server behind the proxy was lost`, thrown);
  }
  if (thrown.outcome !== 'unknown') {
    const why = `${call.method} was not carried out: the server behind this proxy has ended or cannot be reached`;
    throw new ProtocolError(codes.internalError, why);
  }
  return outcomeUnknown(call, 'the server behind this proxy ended before it answered');
}

/** Nobody knows whether the call was carried out, and it is not made again. */
export function outcomeUnknown({ method }: Call, because: string): Outcome {
  const text = `The outcome of this call is unknown: ${because}. It was not repeated; find out what it did before you make it again.`;
  if (method !== 'tools/call') throw new ProtocolError(codes.internalError, text);
  return { value: { content: [{ type: 'text', text }], isError: true } };
}

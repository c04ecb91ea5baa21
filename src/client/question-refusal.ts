/** What a handler of questions throws so that the server is told why there is no answer. */
import { codes, ProtocolError } from '../rpc/protocol-error.ts';

/** The number that the protocol gives to a person's no. */
const rejected = -1;

/** Somebody said no. */
export function userRejected(reason: string): ProtocolError {
  return new ProtocolError(rejected, reason);
}

/** The question itself cannot be answered as it is. */
export function unusableQuestion(reason: string): ProtocolError {
  return new ProtocolError(codes.invalidParams, reason);
}

/** The question was in order, and no answer came of it. */
export function noAnswer(reason: string, cause?: unknown): ProtocolError {
  return new ProtocolError(codes.internalError, reason, { cause });
}

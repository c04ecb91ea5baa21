/** `tenon/rpc`: messages, the channel contract, the failures of peer and connection, and the guards that hold across copies. */
export type { Clock } from '../basics/clock.ts';
export { type FailureOptions, TenonError } from '../basics/failure.ts';
export { isTimeoutError, type TimeLimit, TimeoutError } from '../basics/timeout-error.ts';
export type {
  AcceptOptions,
  Acceptor,
  Channel,
  Connection,
  Diagnostic,
  Exchange,
  Inlet,
  OpenOptions,
  Receiver,
  SendOptions,
} from '../channels/channel.ts';
export {
  ConnectionError,
  type ExitStatus,
  isConnectionError,
  type Outcome,
} from '../rpc/connection-error.ts';
export {
  type ErrorBody,
  type ErrorResponse,
  type Id,
  type Inbound,
  type Message,
  type Notification,
  type Params,
  type Request,
  type Response,
  type ResultResponse,
  readMessage,
} from '../rpc/message.ts';
export { codes, isProtocolError, ProtocolError } from '../rpc/protocol-error.ts';
export { isSchemaError, SchemaError } from '../schema/schema-error.ts';
export { isToolError, ToolError } from '../tools/tool-error.ts';

/** The public names of `tenon/client`: connect to a server and use it. */

export { isTimeoutError, type TimeLimit, TimeoutError } from '../basics/timeout-error.ts';
export type { Channel, Connection, Diagnostic, OpenOptions, Receiver } from '../channels/channel.ts';
export type { CallToolResult, UnknownContent } from '../client/call-result.ts';
export { Client, connect } from '../client/client.ts';
export type { AnswerContext, ClientOptions, RequestOptions, Timeouts } from '../client/options.ts';
export type { Paged } from '../client/pages.ts';
export { EraMemory, type LogEntry, type ProbeTimes, type Revision, revisions } from '../eras/index.ts';
export type { Change, ChangeFilter } from '../protocol/change.ts';
export { isVersionError, VersionError } from '../protocol/errors.ts';
export type { Extension, ResultKind } from '../protocol/extension.ts';
export type { Capabilities } from '../protocol/identity.ts';
export type { ToolListing } from '../protocol/tool-listing.ts';
export {
  ConnectionError,
  type ExitStatus,
  isConnectionError,
  type Outcome,
} from '../rpc/connection-error.ts';
export type { Progress } from '../rpc/inflight.ts';
export { isProtocolError, ProtocolError } from '../rpc/protocol-error.ts';

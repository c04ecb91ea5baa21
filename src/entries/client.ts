/** The public names of `tenon/client`: connect to a server and use it. */

export { isTimeoutError, type TimeLimit, TimeoutError } from '../basics/timeout-error.ts';
export type { Span, SpanAttributes, SpanKind, TraceContext, Tracer } from '../basics/trace.ts';
export type { Channel, Connection, Diagnostic, OpenOptions, Receiver } from '../channels/channel.ts';
export {
  type HeaderContext,
  type HeaderSource,
  type HeadersLike,
  type HttpOptions,
  http,
} from '../channels/http-client.ts';
export type { CacheOptions } from '../client/cache.ts';
export type { CallResult, CallToolResult, UnknownContent } from '../client/call-result.ts';
export { type Catalogue, catalogue, fingerprintOf } from '../client/catalogue.ts';
export { Client, connect } from '../client/client.ts';
export type { CompletionTarget } from '../client/completion-params.ts';
export type {
  AnswerContext,
  AnswerModes,
  ClientOptions,
  RequestOptions,
  Timeouts,
} from '../client/options.ts';
export type { Page, Paged } from '../client/pages.ts';
export type { PromptResult } from '../client/read-results.ts';
export {
  EraMemory,
  isResourceNotFound,
  type LogEntry,
  type ProbeTimes,
  type Revision,
  revisions,
} from '../eras/index.ts';
export type { Change, ChangeFilter } from '../protocol/change.ts';
export { isVersionError, VersionError } from '../protocol/errors.ts';
export type { Extension, ResultKind } from '../protocol/extension.ts';
export type { Capabilities } from '../protocol/identity.ts';
export type {
  Completion,
  PromptArgument,
  PromptListing,
  PromptMessage,
  ReadResult,
  ResourceListing,
  ResourceTemplateListing,
} from '../protocol/listings.ts';
export type { AnyCatalogue, Catalogued, CatalogueEntry } from '../protocol/tool-catalogue.ts';
export type { ToolListing } from '../protocol/tool-listing.ts';
export { expandTemplate, type TemplateValue } from '../protocol/uri-template.ts';
export {
  ConnectionError,
  type ExitStatus,
  isConnectionError,
  type Outcome,
} from '../rpc/connection-error.ts';
export type { Progress } from '../rpc/inflight.ts';
export { isProtocolError, ProtocolError } from '../rpc/protocol-error.ts';

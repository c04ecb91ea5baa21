/** The public names of `tenon/server`: offer tools, resources and prompts to clients. */
import type { HttpServed } from '../channels/channel.ts';
import type { HttpServerOptions } from '../channels/http-server-options.ts';
import { type WebHandler, webHandler } from '../channels/http-web.ts';
import type { ServableOverHttp } from '../server/endpoint.ts';
import { overHttp } from '../server/over-http.ts';

export type { Span, SpanAttributes, TraceContext, Tracer } from '../basics/trace.ts';
export type {
  AcceptOptions,
  Acceptor,
  EventStore,
  EventsKept,
  Exchange,
  HttpAcceptOptions,
  HttpAcceptor,
  HttpServed,
  Inlet,
} from '../channels/channel.ts';
export {
  type Authenticate,
  bearer,
  type Denial,
  type HttpHead,
  type Identity,
} from '../channels/http-server-auth.ts';
export type { HttpServerOptions } from '../channels/http-server-options.ts';
export type { WebHandler } from '../channels/http-web.ts';
export {
  type MemoryEventsOptions,
  type MemoryStoreOptions,
  memoryEvents,
  memoryStore,
  type StateStore,
} from '../eras/for-servers.ts';
export type { StateOptions } from '../eras/index.ts';
export type { Call, Freshness, Outcome } from '../protocol/call.ts';
export { isRoundEnded } from '../protocol/call.ts';
export type { Extension } from '../protocol/extension.ts';
export type { Completion, PromptArgument, PromptMessage, ResourceListing } from '../protocol/listings.ts';
export { isProtocolError, ProtocolError } from '../rpc/protocol-error.ts';
export { isSchemaError, SchemaError } from '../schema/schema-error.ts';
export type {
  Completer,
  Completers,
  CompletionContext,
  CompletionReturn,
  ListContext,
} from '../server/completer.ts';
export { type DispatchContext, dispatch } from '../server/dispatch.ts';
export type { ServableOverHttp } from '../server/endpoint.ts';
export type { FreshnessHints } from '../server/offer.ts';
export { overHttp } from '../server/over-http.ts';
export {
  type ArgumentsOf,
  type Prompt,
  type PromptArguments,
  type PromptOptions,
  type PromptReturn,
  prompt,
} from '../server/prompt.ts';
export {
  type Resource,
  type ResourceContext,
  type ResourceOptions,
  type ResourcePart,
  type ResourceReturn,
  type ResourceTemplateOptions,
  resource,
  type TemplateVariables,
} from '../server/resource.ts';
export { Server } from '../server/server.ts';
export type { ServerOptions } from '../server/server-options.ts';
export { audio, embed, image, link, text } from '../tools/content.ts';
export type { ToolContext } from '../tools/context.ts';
export { type InputAnswers, type InputQuestion, type NeedInput, needInput } from '../tools/need-input.ts';
export { type AnyTool, type Tool, type ToolOptions, type ToolResult, tool } from '../tools/tool.ts';
export { isToolError, ToolError } from '../tools/tool-error.ts';

/**
 * Serves `server` to whatever requests the handler is called with, on any path. Where the runtime does not tell on
 * which address they come in, web pages are told by their own headers alone; `allowedHosts` makes that two checks.
 * Throws a TypeError when an option cannot be used.
 */
export function handler(server: ServableOverHttp | HttpServed, options: HttpServerOptions = {}): WebHandler {
  return webHandler(overHttp(server), options);
}

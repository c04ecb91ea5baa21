/** The public names of `tenon/server`: offer tools to clients. */
export type { AcceptOptions, Acceptor, Exchange, Inlet } from '../channels/channel.ts';
export type { StateOptions } from '../eras/index.ts';
export type { Call, Freshness, Outcome } from '../protocol/call.ts';
export { isRoundEnded } from '../protocol/call.ts';
export type { Extension } from '../protocol/extension.ts';
export { isProtocolError, ProtocolError } from '../rpc/protocol-error.ts';
export { isSchemaError, SchemaError } from '../schema/schema-error.ts';
export { type DispatchContext, dispatch } from '../server/dispatch.ts';
export { Server, type ServerOptions } from '../server/server.ts';
export { audio, embed, image, link, text } from '../tools/content.ts';
export type { ToolContext } from '../tools/context.ts';
export { type AnyTool, type Tool, type ToolOptions, type ToolResult, tool } from '../tools/tool.ts';
export { isToolError, ToolError } from '../tools/tool-error.ts';

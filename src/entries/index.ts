/** `tenon`: the names most programs start with, in reading order. */

// Use a server.
export { Client, connect } from '../client/client.ts';
export type { ClientOptions, RequestOptions } from '../client/options.ts';

// Be a server.
export { type Prompt, prompt } from '../server/prompt.ts';
export { type Resource, resource } from '../server/resource.ts';
export { Server } from '../server/server.ts';
export type { ServerOptions } from '../server/server-options.ts';

// One definition of a tool, for an agent and for a server, and what it is made of.
export { audio, type Content, embed, image, link, text } from '../tools/content.ts';
export type { ToolContext } from '../tools/context.ts';
export { type AnyTool, type Tool, type ToolOptions, type ToolResult, tool } from '../tools/tool.ts';

// A model with tools, run until it answers.
export { Agent } from '../agent/agent.ts';
export type { AgentOptions } from '../agent/agent-options.ts';
export type { RunResult } from '../agent/run-plan.ts';
export type { Model } from '../models/model.ts';

// Where the halves meet.
export { type ServeAgentOptions, serveAgent } from '../bridge/serving/serve-agent.ts';
export { type ServePatternsOptions, servePatterns } from '../bridge/serving/serve-patterns.ts';
export { type Toolset, toolset } from '../bridge/toolset/toolset.ts';
export type { ToolsetOptions } from '../bridge/toolset/toolset-options.ts';

// What goes wrong, by name.
export { RunAbortedError, RunError } from '../agent/errors.ts';
export { TenonError } from '../basics/failure.ts';
export { TimeoutError } from '../basics/timeout-error.ts';
export { BudgetError } from '../models/budget-error.ts';
export { VersionError } from '../protocol/errors.ts';
export { ConnectionError } from '../rpc/connection-error.ts';
export { ProtocolError } from '../rpc/protocol-error.ts';
export { ToolError } from '../tools/tool-error.ts';

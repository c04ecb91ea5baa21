/** The public names of `tenon/bridge`: tools of servers for agents, agents and patterns as tools of servers. */
export {
  type AnswerSamplingOptions,
  answerSampling,
  type SampleHandler,
  type SamplingDecision,
  type SamplingRequest,
} from '../bridge/answer-sampling.ts';
export type { BridgedCall, SentArguments, ToolWrap } from '../bridge/bridged-call.ts';
export type { ApproveCall, ToolApprovalRequest, ToolsetApproval } from '../bridge/call-approval.ts';
export type { Pins } from '../bridge/definition-hash.ts';
export type { Drift, OnDrift } from '../bridge/drift-guard.ts';
export { type ServeAgentOptions, serveAgent } from '../bridge/serve-agent.ts';
export { type ServedPattern, type ServePatternsOptions, servePatterns } from '../bridge/serve-patterns.ts';
export type { DroppedTool, ServedTool } from '../bridge/served-tool.ts';
export type { ConnectClient, ServerSource, ToolsetServers } from '../bridge/server-sources.ts';
export type { ServerState, ServerStatus } from '../bridge/server-status.ts';
export type { PinnedValue, ToolAdjustment, ToolAdjustments } from '../bridge/tool-adjustment.ts';
export type { HintFilter, ToolFilter, ToolHints, ToolPatterns } from '../bridge/tool-filter.ts';
export { type Toolset, type ToolsetRequest, toolset } from '../bridge/toolset.ts';
export type { ToolsetChange, ToolsetEvent } from '../bridge/toolset-events.ts';
export type { ToolsetOptions } from '../bridge/toolset-options.ts';

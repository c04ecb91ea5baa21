/** The public names of `tenon/bridge`: tools of servers for agents, agents and patterns as tools of servers. */

export {
  type BuildServedOptions,
  buildServed,
  type Served,
} from '../bridge/allow-list/build-served.ts';
export type {
  AllowedServer,
  ConfigFault,
  ConfiguredAgent,
  ConfiguredPatterns,
  ConfiguredPipe,
  ModelEntry,
  ReadConfig,
  ServedConfig,
  ServerAccess,
  ToolRule,
} from '../bridge/allow-list/config.ts';
export { configSchema } from '../bridge/allow-list/config-schema.ts';
export type { ConnectServer } from '../bridge/allow-list/connections.ts';
export { readConfig } from '../bridge/allow-list/read-config.ts';
export type { ServerEntry } from '../bridge/allow-list/server-entry.ts';
export type { Surroundings } from '../bridge/allow-list/variables.ts';
export { type ProxyServer, proxy } from '../bridge/proxy/proxy.ts';
export type { ConnectUpstream, ProxyOptions } from '../bridge/proxy/proxy-options.ts';
export {
  type AnswerSamplingOptions,
  answerSampling,
  type SampleHandler,
  type SamplingDecision,
  type SamplingRequest,
} from '../bridge/sampling/answer-sampling.ts';
export type {
  CommonBounds,
  ConsensusBounds,
  MapReduceBounds,
  NamedSchema,
  PatternBounds,
  ReactBounds,
  RefineBounds,
  ServedPattern,
  StructuredBounds,
} from '../bridge/serving/pattern-bounds.ts';
export type { PausedRunsOptions } from '../bridge/serving/paused-runs.ts';
export { type ServeAgentOptions, serveAgent } from '../bridge/serving/serve-agent.ts';
export { type ServePatternsOptions, servePatterns } from '../bridge/serving/serve-patterns.ts';
export type { PipeBounds, PipeStep } from '../bridge/serving/serve-pipe.ts';
export type { ServedEvent, ServedObserver } from '../bridge/serving/served-events.ts';
export type { BridgedCall, SentArguments, ToolWrap } from '../bridge/toolset/bridged-call.ts';
export type { ApproveCall, ToolApprovalRequest, ToolsetApproval } from '../bridge/toolset/call-approval.ts';
export type { Pins } from '../bridge/toolset/definition-hash.ts';
export type { Drift, OnDrift } from '../bridge/toolset/drift-guard.ts';
export type { DroppedTool, ServedTool } from '../bridge/toolset/served-tool.ts';
export type { ConnectClient, ServerSource, ToolsetServers } from '../bridge/toolset/server-sources.ts';
export type { ServerState, ServerStatus } from '../bridge/toolset/server-status.ts';
export type { PinnedValue, ToolAdjustment, ToolAdjustments } from '../bridge/toolset/tool-adjustment.ts';
export type { HintFilter, ToolFilter, ToolHints, ToolPatterns } from '../bridge/toolset/tool-filter.ts';
export { type Toolset, type ToolsetRequest, toolset } from '../bridge/toolset/toolset.ts';
export type { ToolsetChange, ToolsetEvent } from '../bridge/toolset/toolset-events.ts';
export type { ToolsetOptions } from '../bridge/toolset/toolset-options.ts';

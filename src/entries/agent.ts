/** The public names of `tenon/agent`: a model with tools, run until it answers. */
export { Agent, type AgentConstructor } from '../agent/agent.ts';
export type {
  AgentOptions,
  InstructionContext,
  Instructions,
  OutputOf,
  PausingAgentOptions,
} from '../agent/agent-options.ts';
export type { AgentToolOptions } from '../agent/agent-tool.ts';
export type { ApproveTool, Decisions, ToolApproval, ToolDecision } from '../agent/approval/decisions.ts';
export type { PausedRun } from '../agent/approval/pause-run.ts';
export type { PausedState, PendingCall } from '../agent/approval/paused-state.ts';
export type { AgentTools } from '../agent/calls/tool-supply.ts';
export {
  isRunAbortedError,
  isRunError,
  RunAbortedError,
  type RunCounts,
  RunError,
  type RunStage,
} from '../agent/errors.ts';
export type { RunEvent, RunObserver } from '../agent/events.ts';
export { type Conversation, conversation } from '../agent/history/conversation.ts';
export type { Summarizer, Summary } from '../agent/history/history-view.ts';
export { loadHistory, saveHistory } from '../agent/history/saved-history.ts';
export { type TrimOptions, trimHistory } from '../agent/history/trim-history.ts';
export { isUsageLimitError, type LimitKind, type Limits, UsageLimitError } from '../agent/limits.ts';
export { OutputError, type OutputMode } from '../agent/output/output.ts';
export { findArtifact } from '../agent/results/artifacts.ts';
export type { Prompt, RunOptions } from '../agent/run-options.ts';
export type { RunResult } from '../agent/run-plan.ts';
export type { RunStream } from '../agent/run-stream.ts';
export { BudgetError, isBudgetError } from '../models/budget-error.ts';
export { audio, embed, image, link, text } from '../tools/content.ts';
export type { ToolContext } from '../tools/context.ts';
export { type AnyTool, type Tool, type ToolOptions, type ToolResult, tool } from '../tools/tool.ts';
export { isToolError, ToolError } from '../tools/tool-error.ts';
export type { ToolSource } from '../tools/tool-source.ts';

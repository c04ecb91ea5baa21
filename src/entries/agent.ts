/** The public names of `tenon/agent`: a model with tools, run until it answers. */
export { Agent, type AgentConstructor } from '../agent/agent.ts';
export type { AgentOptions, InstructionContext, Instructions, OutputOf } from '../agent/agent-options.ts';
export {
  isRunAbortedError,
  isRunError,
  RunAbortedError,
  type RunCounts,
  RunError,
  type RunStage,
} from '../agent/errors.ts';
export type { RunEvent, RunObserver } from '../agent/events.ts';
export { isUsageLimitError, type LimitKind, type Limits, UsageLimitError } from '../agent/limits.ts';
export type { RunResult } from '../agent/loop.ts';
export { OutputError } from '../agent/output.ts';
export type { Prompt, RunOptions } from '../agent/run-options.ts';
export type { RunStream } from '../agent/run-stream.ts';
export { BudgetError, isBudgetError } from '../models/budget-error.ts';
export { audio, embed, image, link, text } from '../tools/content.ts';
export type { ToolContext } from '../tools/context.ts';
export { type AnyTool, type Tool, type ToolOptions, type ToolResult, tool } from '../tools/tool.ts';
export { isToolError, ToolError } from '../tools/tool-error.ts';

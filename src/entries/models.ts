/** The public names of `tenon/models`: the contract of a model, and models made of others. */
export { BudgetError, type BudgetFacts, isBudgetError } from '../models/budget-error.ts';
export { collect, type ModelResponse, toAssistantMessage } from '../models/collect.ts';
export { type Environment, type EnvironmentOptions, modelFromEnvironment } from '../models/environment.ts';
export { type FallbackOptions, fallback } from '../models/fallback.ts';
export {
  type AssistantMessage,
  addUsage,
  type FinishReason,
  type Model,
  type ModelMessage,
  type ModelRequest,
  noUsage,
  type Part,
  type Replay,
  type RespondOptions,
  type SystemMessage,
  type ToolCall,
  type ToolChoice,
  type ToolMessage,
  type ToolSpec,
  type Usage,
  type UserMessage,
} from '../models/model.ts';
export { isModelError, ModelError, type ModelErrorKind, type ModelFacts } from '../models/model-error.ts';
export { type RateLimit, rateLimit } from '../models/rate-limit.ts';
export { type RetryOptions, retry } from '../models/retry.ts';
export { TokenBucket, type TokenBucketOptions } from '../models/token-bucket.ts';

/** From the failure of a served pattern to what its caller may read: specific where it is known and safe, else a reference. */
import { messageOf } from '../../basics/failure.ts';
import { notify } from '../../basics/notify.ts';
import { isBudgetError } from '../../models/budget-error.ts';
import { isModelError, type ModelError, type ModelErrorKind } from '../../models/model-error.ts';
import { isPatternError, type PatternError } from '../../patterns/contract/pattern-error.ts';
import { type Cost, noCost } from '../../patterns/contract/result.ts';
import { isToolError, ToolError } from '../../tools/tool-error.ts';
import type { OnInternalFailure } from './operator-report.ts';
import { describeOutcome, excerptEvidence } from './pattern-outcomes.ts';

/** The structured content of a failure. */
interface FailureData {
  readonly kind: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly cost: Cost;
  readonly evidence?: Readonly<Record<string, unknown>>;
  readonly reference?: string;
}

/** What happened and what to do, without a word from the provider, which may quote keys and prompts. */
const modelFailures: Readonly<Record<ModelErrorKind, string>> = {
  'rate-limit': "the model's provider limits how often it may be asked; try again later",
  auth: "the model's provider refused the API key; whoever runs this server must check it",
  'invalid-request': "the model's provider refused the request as it is; trying again will not help",
  server: "the model's provider had a fault; try again later",
  transport: "the model's provider could not be reached; try again later",
  timeout: "the model's provider did not answer in time; try again later",
  decode:
    "the model's provider did not answer with what this API sends; whoever runs this server must check its base URL " +
    '(TENON_BASE_URL) and the log',
  configuration:
    "the model's provider sends requests elsewhere; whoever runs this server must check its base URL (TENON_BASE_URL)",
  blank: 'the model gave a blank answer; try again, or ask in other words',
  refused: 'the model declined to answer; ask in other words',
};

/** About these there is nothing that whoever runs the server could do. */
const ofTheModel: ReadonlySet<ModelErrorKind> = new Set(['blank', 'refused']);

/** The error to throw from the tool. Never throws. */
export function toToolError(error: unknown, onError: OnInternalFailure): ToolError {
  // What one of ours worded for the caller already.
  if (isToolError(error)) return error;
  const cost = isPatternError(error) ? error.cost : noCost;
  if (isPatternError(error) && error.kind === 'aborted') {
    return failure('the call was cancelled', { kind: 'aborted', retryable: true, cost });
  }
  const found = isPatternError(error) ? excerptEvidence(error) : undefined;
  const evidence = found === undefined ? {} : { evidence: found };
  const outcome = isPatternError(error) ? describeOutcome(error) : undefined;
  if (outcome !== undefined) {
    return failure(outcome, { kind: (error as PatternError).kind, retryable: true, cost, ...evidence });
  }
  const budget = findCause(error, isBudgetError);
  if (budget !== undefined) {
    const text = `the budget of this server forbids another model call (${budget.kind}: ${budget.actual} of ${budget.limit})`;
    return failure(text, { kind: 'budget', retryable: false, cost, ...evidence });
  }
  const modelError = findCause(error, isModelError);
  if (modelError !== undefined) return fromModelError(modelError, { cost, ...evidence }, onError);
  const reference = report(error, onError);
  return failure(
    `internal failure; the log of this server has the details under the reference ${reference}`,
    {
      kind: 'internal',
      retryable: false,
      cost,
      reference,
    },
  );
}

/** Returns what the report is found by. */
function report(error: unknown, onError: OnInternalFailure): string {
  const reference = globalThis.crypto.randomUUID();
  notify(onError, reference, error);
  return reference;
}

function failure(message: string, data: FailureData): ToolError {
  return new ToolError(`${message}${describeCost(data.cost)}`, { data });
}

function describeCost({ inputTokens, outputTokens, calls }: Cost): string {
  if (calls === 0) return '';
  return ` (spent: ${inputTokens} input tokens, ${outputTokens} output tokens, ${calls} model calls)`;
}

function fromModelError(
  error: ModelError,
  facts: Pick<FailureData, 'cost' | 'evidence'>,
  onError: OnInternalFailure,
): ToolError {
  const { kind, retryable, retryAfterMs, status } = error;
  // Errors of configuration are our own words and name the variables; with a status they repeat what the provider said.
  if (kind === 'configuration' && status === undefined) {
    return failure(describeConfiguration(error), { kind, retryable, ...facts });
  }
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  // The provider speaks of nothing but a parameter the caller chose.
  const hint =
    kind === 'invalid-request' && /temperature/i.test(error.message) ? '; leave temperature out' : '';
  const message = modelFailures[kind] + hint;
  const data = { kind, retryable: retryable || kind === 'blank', ...wait, ...facts };
  if (ofTheModel.has(kind)) return failure(message, data);
  const reference = report(error, onError);
  return failure(`${message}; reference ${reference}`, { ...data, reference });
}

function describeConfiguration(error: ModelError): string {
  return error.hint === undefined ? messageOf(error) : `${messageOf(error)}. ${error.hint}`;
}

/** The first failure of a kind in the chain of causes, which is cut after a few links. */
function findCause<Failure>(error: unknown, is: (value: unknown) => value is Failure): Failure | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (is(current)) return current;
    current = current.cause;
  }
  return undefined;
}

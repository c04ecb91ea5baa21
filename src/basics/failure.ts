/** The base of every error that Tenon throws: a hint, a useful `toJSON`, and a brand that holds across copies. */

const brand: unique symbol = Symbol.for('tenon.failure') as never;
const summary: unique symbol = Symbol.for('tenon.failure.summary') as never;

/** What every failure may carry beside its message. */
export interface FailureOptions {
  /** The error, reason or value behind this failure. */
  readonly cause?: unknown;
  /** What the reader can do about it, as a sentence. */
  readonly hint?: string | undefined;
  /** The message for models and callers, who must not see what the whole one tells, such as a command line. */
  readonly summary?: string | undefined;
}

/** Base class; use the named classes for `instanceof` and the `is…` guards across copies of the package. */
export class TenonError extends Error {
  /** What the reader can do about it, when there is something. */
  readonly hint: string | undefined;

  constructor(message: string, options: FailureOptions = {}, kinds: readonly string[] = []) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    // Brand and kinds are for code, not for whoever prints the error.
    Object.defineProperty(this, brand, { value: kinds });
    if (options.summary !== undefined) Object.defineProperty(this, summary, { value: options.summary });
  }

  /** Name, message, hint, own fields and the cause's message; never a stack. */
  toJSON(): Record<string, unknown> {
    const { cause, ...fields } = this as Record<string, unknown>;
    const json: Record<string, unknown> = { name: this.name, message: this.message };
    for (const [key, value] of Object.entries(fields)) {
      if (value !== undefined && key !== 'name' && key !== 'message') json[key] = value;
    }
    if (this.cause !== undefined) json['cause'] = describeCause(this.cause);
    return json;
  }
}

/** True when `value` is a failure of that kind, made by this or any other copy of the package. */
export function isFailure(value: unknown, kind: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const kinds: unknown = (value as Record<symbol, unknown>)[brand];
  return Array.isArray(kinds) && kinds.includes(kind);
}

/** The message of anything that can be thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === 'string') return thrown;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return String(thrown);
  }
}

/** As `messageOf`, without what models and callers must not see. */
export function summaryOf(thrown: unknown): string {
  const told: unknown =
    typeof thrown === 'object' && thrown !== null ? (thrown as Record<symbol, unknown>)[summary] : undefined;
  return typeof told === 'string' ? told : messageOf(thrown);
}

function describeCause(cause: unknown): unknown {
  if (cause instanceof TenonError) return cause.toJSON();
  if (cause instanceof Error) return { name: cause.name, message: cause.message };
  return messageOf(cause);
}

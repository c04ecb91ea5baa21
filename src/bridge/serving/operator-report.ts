/** What whoever runs a server reads about a failure of which its callers were only told a reference. */
import { messageOf, TenonError } from '../../basics/failure.ts';
import { excerpt, redact } from '../../basics/redact.ts';
import { isModelError } from '../../models/model-error.ts';

/** Tells whoever runs the server what the caller only gets a reference to. */
export type OnInternalFailure = (reference: string, error: unknown) => void;

/** Where nobody says otherwise: standard error, as faults of a server. */
export const reportOnStderr: OnInternalFailure = (reference, error) =>
  console.error(describeForOperator(reference, error));

/** One redacted line for a failure of the model; the whole chain of causes, redacted, for what nobody foresaw. */
export function describeForOperator(reference: string, error: unknown): string {
  if (isModelError(error)) {
    const said = excerpt(error.message, [], 500);
    return `${reference}: ${error.kind}: ${said}${error.hint === undefined ? '' : ` (${error.hint})`}`;
  }
  const links: string[] = [];
  for (let at = error, depth = 0; at !== undefined && depth < 8; depth += 1) {
    links.push(depth === 0 ? describe(at) : `caused by: ${describe(at)}`);
    at = at instanceof Error ? at.cause : undefined;
  }
  return redact(`${reference}: ${links.join('\n')}`);
}

/** A failure of ours says what to do; others say where they come from. */
function describe(error: unknown): string {
  if (error instanceof TenonError)
    return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
  return error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error);
}

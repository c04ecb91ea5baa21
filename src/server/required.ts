/** What a tool says its client must be able to do, held against what the client says it can. */
import { readObject } from '../protocol/identity.ts';

/** The part of `required` that `offered` lacks, as a capabilities object; nothing when all is there. */
export function missingOf(
  required: Readonly<Record<string, unknown>>,
  offered: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const missing = Object.entries(required).filter(([name, needed]) => {
    const have = offered[name];
    if (typeof have !== 'object' || have === null) return true;
    // An elicitation capability without modes means forms.
    const known = name === 'elicitation' && Object.keys(have).length === 0 ? { form: {} } : readObject(have);
    return missingOf(readObject(needed), known) !== undefined;
  });
  return missing.length > 0 ? Object.fromEntries(missing) : undefined;
}

/** A skill that cannot be trusted or offered: which rule it breaks, and where. */
import { type FailureOptions, isFailure, TenonError } from '../../basics/failure.ts';

/**
 * `front-matter`: it cannot be read, breaks a rule or is not what was listed. `size`, `digest`: the file is not the one
 * that was listed. `unlisted`: the skill has no such file. `limit`: more or larger files than a skill may have.
 * `malformed`: what the server sent has not the shape of a skill.
 */
export type SkillFault = 'front-matter' | 'size' | 'digest' | 'unlisted' | 'limit' | 'malformed';

/** Thrown where a skill is made, listed or read. */
export class SkillError extends TenonError {
  override readonly name = 'SkillError';
  readonly fault: SkillFault;
  /** The skill or the file, as far as it is known. */
  readonly uri: string | undefined;

  constructor(
    message: string,
    facts: { readonly fault: SkillFault; readonly uri?: string } & FailureOptions,
  ) {
    super(message, facts, ['SkillError']);
    this.fault = facts.fault;
    this.uri = facts.uri;
  }
}

/** True for a `SkillError` of this or any other copy of the package. */
export function isSkillError(value: unknown): value is SkillError {
  return isFailure(value, 'SkillError');
}

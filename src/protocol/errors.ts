/** Kinds of protocol failure without numbers: each era answers them with its own. */
import { type FailureOptions, isFailure, TenonError } from '../basics/failure.ts';
import { shorten } from '../basics/shorten.ts';

/** The two ends have no protocol revision in common. */
export class VersionError extends TenonError {
  override readonly name = 'VersionError';
  readonly asked: readonly string[];
  readonly offered: readonly string[];

  constructor(
    message: string,
    facts: { asked: readonly string[]; offered: readonly string[] } & FailureOptions,
  ) {
    super(message, facts, ['VersionError']);
    this.asked = facts.asked;
    this.offered = facts.offered;
  }
}

/** True for a `VersionError` of this or any other copy of the package. */
export function isVersionError(value: unknown): value is VersionError {
  return isFailure(value, 'VersionError');
}

/** The call needs something of the client that it did not say it can do. */
export class MissingCapability extends TenonError {
  override readonly name = 'MissingCapability';
  /** Capabilities object with what is needed. */
  readonly required: Readonly<Record<string, unknown>>;

  constructor(message: string, required: Readonly<Record<string, unknown>>) {
    super(message, {}, ['MissingCapability']);
    this.required = required;
  }
}

export function isMissingCapability(value: unknown): value is MissingCapability {
  return isFailure(value, 'MissingCapability');
}

/** No resource is at the URI that was asked for. */
export class ResourceNotFound extends TenonError {
  override readonly name = 'ResourceNotFound';
  readonly uri: string;

  constructor(uri: string) {
    super(`there is no resource at ${JSON.stringify(shorten(uri, 200))}`, {}, ['ResourceNotFound']);
    this.uri = uri;
  }
}

export function isMissingResource(value: unknown): value is ResourceNotFound {
  return isFailure(value, 'ResourceNotFound');
}

/** The error for a schema that cannot be used: where in it, what stands there, why, and what to do. */
import { type FailureOptions, isFailure, messageOf, TenonError } from '../basics/failure.ts';
import { sketch } from '../basics/sketch.ts';

/** What a `SchemaError` is made of. */
export interface SchemaFault extends Pick<FailureOptions, 'cause'> {
  /** JSON pointer into the schema, as a URI fragment: `#/properties/a/type`. */
  readonly pointer: string;
  /** What stands there; shown shortened. Leave it out where it says nothing. */
  readonly value?: unknown;
  /** Why that cannot be used. */
  readonly reason: string;
  /** What the author of the schema can do. */
  readonly remedy: string;
}

/** A schema cannot be used; thrown when it is compiled, never when a value is validated. */
export class SchemaError extends TenonError {
  override readonly name = 'SchemaError';
  /** JSON pointer into the schema, as a URI fragment; `#` is the whole schema. */
  readonly pointer: string;
  readonly reason: string;

  constructor(fault: SchemaFault) {
    const value = 'value' in fault ? `, got ${sketch(fault.value)}` : '';
    const pointer = fault.pointer.length > 200 ? `${fault.pointer.slice(0, 200)}…` : fault.pointer;
    super(
      `schema cannot be used: at ${pointer}: ${fault.reason}${value}; ${fault.remedy}`,
      { cause: fault.cause, hint: fault.remedy },
      ['SchemaError'],
    );
    this.pointer = pointer;
    this.reason = fault.reason;
  }
}

/** What is wrong with a schema, for a message that says already that it cannot be used. */
export function schemaFault(thrown: unknown): string {
  return messageOf(thrown).replace(/^schema cannot be used: /, '');
}

/** True for a `SchemaError` of this or any other copy of the package. */
export function isSchemaError(value: unknown): value is SchemaError {
  return isFailure(value, 'SchemaError');
}

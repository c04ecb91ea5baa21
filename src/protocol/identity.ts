/** Who is at an end of a connection, and what it can do; without versions. */
import { isObject } from '../basics/json.ts';
import type { ImplementationInfo } from '../tools/context.ts';

export type Capabilities = Readonly<Record<string, unknown>>;

/** What a server says of itself when a client connects. */
export interface ServerDescription {
  readonly info: ImplementationInfo;
  readonly capabilities: Capabilities;
  /** How to use the server, for a model to read. */
  readonly instructions?: string;
}

/** Reads what a peer says of itself; what is missing or odd becomes a placeholder, never a failure. */
export function readInfo(value: unknown): ImplementationInfo {
  const raw = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const name = typeof raw['name'] === 'string' ? raw['name'] : 'unknown';
  const version = typeof raw['version'] === 'string' ? raw['version'] : '0';
  return { ...raw, name, version };
}

/** An object as it is, anything else as an empty one. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

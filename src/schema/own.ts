/** Reading a value in memory. */

/** The value's own property, never one of its prototype. */
export function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

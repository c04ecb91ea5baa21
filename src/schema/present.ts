/** JSON values in memory, where a property that is undefined counts as absent: reading, comparing, cleaning. */

/** The value's own property, never one of its prototype. */
export function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The names of the properties that are there; undefined ones would not survive being written as JSON. */
export function presentKeys(value: object): string[] {
  return Object.keys(value).filter(key => (value as Record<string, unknown>)[key] !== undefined);
}

/** Equal as JSON: the order of properties does not matter. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null)
    return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = presentKeys(left);
  return (
    keys.length === presentKeys(right).length && keys.every(key => isEqual(own(left, key), own(right, key)))
  );
}

/** What `dropUndefined` answers for a value that is too deep, or contains itself. */
export const unfit: unique symbol = Symbol('too deep');

/** The value without properties that are undefined, copied only where there are some; counts its parts. */
export function dropUndefined(
  value: unknown,
  size: { parts: number; readonly deepest: number },
  depth = 0,
): unknown {
  size.parts++;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= size.deepest) return unfit;
  let copy: unknown[] | Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const before = (value as Record<string, unknown>)[key];
    const after = dropUndefined(before, size, depth + 1);
    if (after === unfit) return unfit;
    if (after === before && (after !== undefined || Array.isArray(value))) continue;
    copy ??= Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value));
    if (after === undefined && !Array.isArray(copy)) delete copy[key];
    else
      Object.defineProperty(copy, key, {
        value: after,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return copy ?? value;
}

/** The types that a schema names. */

/** Null too by the word `nullable` of OpenAPI 3.0, which says something beside `type` only. */
export function namedTypes({ type, nullable }: Readonly<Record<string, unknown>>): readonly string[] {
  if (type === undefined) return [];
  return [...new Set([type, nullable === true ? 'null' : []].flat().map(String))];
}

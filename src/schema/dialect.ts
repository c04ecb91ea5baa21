/** The dialects of JSON Schema that are known by name. */
import type { JsonSchemaObject } from './schema.ts';

const known: Readonly<Record<string, string>> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
  'json-schema.org/draft-06/schema': 'draft-06',
  'json-schema.org/draft-04/schema': 'draft-04',
  'json-schema.org/schema': '2020-12',
};

/** The dialect that `$schema` names: 2020-12 when there is none, undefined when it is not known. */
export function readDialect(schema: JsonSchemaObject): string | undefined {
  const named = schema['$schema'];
  if (typeof named !== 'string') return '2020-12';
  return known[named.replace(/^https?:\/\//, '').replace(/#$/, '')];
}

/** Why a value does not fit the field of a form that it was typed for. */
import { compileSchema } from '../../schema/compile.ts';
import { explain } from '../../schema/explain.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { showValue } from '../print.ts';
import { ownSchema } from './field.ts';

/** Why the value does not fit the field; undefined when it does, or when its schema alone cannot tell. */
export async function faultOf(
  root: JsonSchemaObject,
  name: string,
  value: unknown,
): Promise<string | undefined> {
  const { required: _all, dependentRequired: _other, ...rest } = root;
  try {
    const verdict = await compileSchema(rest, { root: 'object' }).validate({ [name]: value });
    const issues = verdict.ok ? [] : verdict.issues.filter(({ path }) => path[0] === name);
    if (issues.length > 0) return await explain(issues, { schema: root, value: { [name]: value } });
  } catch {
    return undefined;
  }
  return formatFault(ownSchema(root, name)['format'], value);
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: text => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: text => URL.canParse(text),
  date: text => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(text),
  'date-time': text => /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(text) && isDate(text),
};

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

function formatFault(format: unknown, value: unknown): string | undefined {
  if (typeof format !== 'string' || typeof value !== 'string' || !Object.hasOwn(formats, format))
    return undefined;
  return formats[format]?.(value) === false ? `${showValue(value)} is no ${format}` : undefined;
}

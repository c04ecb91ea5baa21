/** YAML as front matter holds it: what the vendored parser reads, as long as it is JSON and not nested without end. */
import { messageOf } from '../../basics/failure.ts';

const deepest = 32;

/**
 * The JSON value of one YAML document. Rejects with an Error of one line, which names the line it is about, for what is
 * no YAML, and for what JSON cannot hold: aliases, keys and values that are no text, numbers without end.
 */
export async function readYaml(text: string): Promise<unknown> {
  const { parse } = await import('../../vendor/yaml.ts');
  let value: unknown;
  try {
    value = parse(text, { logLevel: 'error', maxAliasCount: 0, stringKeys: true });
  } catch (cause) {
    // The parser draws the place below its first line.
    const [why = ''] = messageOf(cause).split('\n', 1);
    throw new Error(why.replace(/:$/, ''), { cause });
  }
  checkJson(value, 0);
  return value;
}

function checkJson(value: unknown, depth: number): void {
  if (depth > deepest) throw new Error(`it is nested more than ${deepest} deep`);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} is no number of JSON`);
  if (typeof value !== 'object' || value === null) return;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) throw new Error('a tag makes it something that JSON cannot hold');
  for (const each of Object.values(value)) checkJson(each, depth + 1);
}

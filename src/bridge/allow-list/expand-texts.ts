/** Fills in the variables of a whole configuration; schemas and servers, which have readers of their own, are left as they are. */
import type { ConfigFault } from './config.ts';
import { pathOf } from './field-path.ts';
import { fillIn, type Surroundings } from './variables.ts';

/** Members whose content is not the configuration's own words. */
const untouched: ReadonlySet<string> = new Set(['mcpServers', 'schemas', 'output', '$schema']);

/** Of a model; it stands in a variable and nowhere else. */
const keyField = 'apiKey';

/** The reason without the advice to write a value into the file. */
function withoutValue(reason: string): string {
  return reason.replace(/; set it, or write [\s\S]*$/, '; set it to the key');
}

/** A copy with its variables filled in; each that has no value is added to `errors`. */
export function expandTexts(value: unknown, surroundings: Surroundings, errors: ConfigFault[]): unknown {
  const visit = (each: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof each === 'string') {
      const filled = fillIn(each, surroundings);
      const isKey = path.at(-1) === keyField;
      if (!filled.ok) {
        errors.push({ path: pathOf(path), message: isKey ? withoutValue(filled.reason) : filled.reason });
        return each;
      }
      if (isKey && each !== '' && filled.text.trim() === '') {
        errors.push({
          path: pathOf(path),
          message: `names a variable that is empty: ${each}; set it to the key`,
        });
      }
      return filled.text;
    }
    if (Array.isArray(each)) return each.map((item, index) => visit(item, [...path, index]));
    if (typeof each !== 'object' || each === null) return each;
    const entries = Object.entries(each).map(([name, member]) => [
      name,
      untouched.has(name) ? member : visit(member, [...path, name]),
    ]);
    return Object.fromEntries(entries);
  };
  return visit(value, []);
}

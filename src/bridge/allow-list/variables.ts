/** Fills in the variables of a configuration: `${NAME}`, `${NAME:-otherwise}`, `${env:NAME}`, and a few of editors. */

/** What variables are filled in from. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that the command was started in. */
  readonly folder: string;
  readonly home: string;
}

export type Filled =
  /** `values`: those that came from variables of the environment. */
  | { readonly ok: true; readonly text: string; readonly values: readonly string[] }
  /** Why not, as the rest of a sentence that begins with the field. */
  | { readonly ok: false; readonly reason: string };

const form = /\$\{([^{}]*)\}/g;
const named = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** Names that editors give to places. */
const places: Readonly<Record<string, (surroundings: Surroundings) => string>> = {
  workspaceFolder: ({ folder }) => folder,
  cwd: ({ folder }) => folder,
  userHome: ({ home }) => home,
};

/**
 * The text with its variables filled in. A variable that is not set has no value, and neither has one that is asked of a
 * person; a variable that is set to nothing counts as not set where there is a text after `:-`. Anything else in braces
 * is left as it is.
 */
export function fillIn(text: string, surroundings: Surroundings): Filled {
  let reason: string | undefined;
  const values: string[] = [];
  const filled = text.replace(form, (whole, inside: string) => {
    const value = valueFor(inside, surroundings);
    if (typeof value === 'string') {
      const [, name = ''] = named.exec(inside) ?? [];
      if (surroundings.environment[name] === value) values.push(value);
      return value;
    }
    reason ??= value?.reason;
    return whole;
  });
  return reason === undefined ? { ok: true, text: filled, values } : { ok: false, reason };
}

/** Undefined when it is no variable. */
function valueFor(inside: string, surroundings: Surroundings): string | { reason: string } | undefined {
  if (/^(?:input|command|prompt):/.test(inside)) {
    const reason = `asks an editor for \${${inside}}, which is not kept in the file; write \${NAME} and set that variable`;
    return { reason };
  }
  const [, name = '', otherwise] = named.exec(inside) ?? [];
  if (name === '') return undefined;
  const value = surroundings.environment[name];
  if (value !== undefined && (value !== '' || otherwise === undefined)) return value;
  if (otherwise !== undefined) return otherwise;
  if (Object.hasOwn(places, name)) return places[name]?.(surroundings);
  return { reason: `names the variable ${name}, which is not set; set it, or write \${${name}:-value}` };
}

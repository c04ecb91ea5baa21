/** Why a value does not fit a schema, as data and as one short text for people and for models. */
import { isObject } from '../basics/json.ts';
import { phrases } from './fixed-phrases.ts';
import { knownChoices, knownNames, schemasAt } from './lookup.ts';
import type { JsonSchemaObject } from './schema.ts';
import { suggest } from './suggest.ts';

/** One reason: where in the value, what is wrong, and the keyword that says so. */
export interface Issue {
  /** Names and indexes from the root of the value; a missing or forbidden property is the last one. */
  readonly path: readonly (string | number)[];
  /** What is wrong, to be read after the place: `must be a string`. */
  readonly message: string;
  /** The keyword of JSON Schema; absent when a schema library judged. */
  readonly keyword?: string;
}

/** What the issues are about; without it only the bare reasons can be told. */
export interface ExplainOptions {
  /** The schema as it is shown; names and choices are suggested from it. */
  readonly schema: JsonSchemaObject;
  /** The value that was judged. */
  readonly value: unknown;
  /** How what stands at a place of the value is shown: `sketchAt`, unless nobody may see it. */
  readonly show: (path: Issue['path'], received: unknown) => string;
}

const mostReasons = 5;

/**
 * One line without a lead: `"limit" must be a whole number, got "ten"; "qurey" is not allowed here, did you mean "query"?`.
 * At most five reasons; of a long value only a part is shown, of one that looks secret only its length.
 */
export function explainIssues(issues: readonly Issue[], about?: ExplainOptions): string {
  const reasons = issues.slice(0, mostReasons).map(issue => {
    const place = placeOf(issue.path);
    if (issue.keyword === 'limit') return issue.message;
    return about === undefined ? `${place} ${issue.message}` : explainOne(issue, place, about);
  });
  const more = issues.length - mostReasons;
  const isCut = issues.at(-1)?.keyword === 'limit';
  if (more > 0) reasons.push(isCut ? `and at least ${more - 1} more` : `and ${more} more`);
  return reasons.join('; ');
}

function explainOne({ path, message }: Issue, place: string, about: ExplainOptions): string {
  const { schema, value, show } = about;
  const received = readAt(value, path);
  const parent = readAt(value, path.slice(0, -1));
  const name = path.at(-1);
  if (isObject(parent) && typeof name === 'string') {
    const known = knownNames(schemasAt(schema, path.slice(0, -1)));
    if (received === undefined) return `${place} ${phrases.required}${sent(givenFor(name, parent, known))}`;
    if (message === phrases.forbidden && !known.includes(name)) {
      const near = suggest(name, known);
      return `${place} ${message}${near === undefined ? listed(known) : meant(near)}`;
    }
  }
  const choices = typeof received === 'string' ? knownChoices(schemasAt(schema, path)) : [];
  const choice =
    typeof received === 'string' && !choices.includes(received) ? suggest(received, choices) : undefined;
  return `${place} ${message}, got ${show(path, received)}${meant(choice)}`;
}

function placeOf(path: Issue['path']): string {
  if (path.length === 0) return 'the value';
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return JSON.stringify(text.length > 120 ? `…${text.slice(-119)}` : text);
}

function readAt(value: unknown, path: Issue['path']): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string | number, unknown>)[part];
  }
  return at;
}

function meant(name: string | undefined): string {
  return name === undefined ? '' : `, did you mean ${JSON.stringify(name)}?`;
}

function sent(name: string | undefined): string {
  return name === undefined ? '' : `, is ${JSON.stringify(name)} meant for it?`;
}

/** A name that was sent and is not known may stand for the missing one. */
function givenFor(missing: string, given: object, known: readonly string[]): string | undefined {
  return suggest(
    missing,
    Object.keys(given).filter(name => !known.includes(name)),
  );
}

function listed(known: readonly string[]): string {
  if (known.length === 0) return '; nothing may stand here';
  const shown = known.slice(0, 8).map(name => JSON.stringify(name.slice(0, 40)));
  return `; known: ${shown.join(', ')}${known.length > 8 ? ` and ${known.length - 8} more` : ''}`;
}

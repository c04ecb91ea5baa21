/** The front matter of a SKILL.md: what a skill says of itself, and the rules for its name. */
import { messageOf } from '../../basics/failure.ts';
import { sketch } from '../../basics/sketch.ts';
import { SkillError } from './skill-error.ts';
import { readYaml } from './yaml.ts';

/** What stands between the lines `---`; other members are the author's. */
export interface FrontMatter {
  /** 1-64 of `a-z`, `0-9` and single hyphens. */
  readonly name: string;
  /** When to use the skill, for a model to read. */
  readonly description: string;
  readonly [member: string]: unknown;
}

/** Characters; more than any author writes, and little enough to read whatever it holds. */
const longest = 16_384;

/** Reads the front matter of a SKILL.md. Rejects with a `SkillError` that says what is missing or cannot be read. */
export async function readFrontMatter(text: string, uri: string): Promise<FrontMatter> {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text.slice(0, 256));
  if (!opening) throw fault('does not begin with a line "---"', uri);
  const rest = text.slice(opening[0].length, opening[0].length + longest);
  const closing = /^---[ \t]*$/m.exec(rest);
  if (!closing) throw fault(`has no line "---" that ends it within ${longest} characters`, uri);
  let value: unknown;
  try {
    // The line `---` counts, so that errors name the lines of the file.
    value = await readYaml(`\n${rest.slice(0, closing.index)}`);
  } catch (cause) {
    throw fault(`cannot be read: ${messageOf(cause)}`, uri, cause);
  }
  return checkFrontMatter(value, uri);
}

/** The same value, known to have a usable name and a description. Throws a `SkillError` otherwise. */
export function checkFrontMatter(value: unknown, uri: string): FrontMatter {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault(`must be a mapping, got ${sketch(value)}`, uri);
  }
  const { name, description } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !isSkillName(name)) {
    const rule = '1-64 of a-z, 0-9 and single hyphens within';
    throw fault(`has no usable name: ${rule}, got ${sketch(name)}`, uri);
  }
  if (typeof description !== 'string' || description.trim() === '') {
    throw fault(`has no description; models choose skills by it`, uri);
  }
  return value as FrontMatter;
}

function isSkillName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
}

function fault(why: string, uri: string, cause?: unknown): SkillError {
  return new SkillError(`the front matter of ${uri} ${why}`, { fault: 'front-matter', uri, cause });
}

/** True when both are the same JSON, whatever the order of members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) {
    return Object.is(one, other);
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      key =>
        Object.hasOwn(other, key) &&
        isSameJson((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

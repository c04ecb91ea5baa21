/** Keywords that judge the properties of an object. */
import { isObject } from '../basics/json.ts';
import { outlineList } from '../basics/outline.ts';
import { phrases } from './fixed-phrases.ts';
import type { Issue } from './issues.ts';
import { own } from './own.ts';
import { compilePattern } from './pattern.ts';
import { presentKeys } from './present.ts';
import {
  type CompileKeyword,
  inPlace,
  isEnough,
  type Path,
  type Rule,
  type Seat,
  type Seen,
  spend,
} from './rule.ts';

type Named = Readonly<Record<string, unknown>>;
interface Entry {
  readonly name: string;
  readonly rule: Rule;
}

const entriesOf = (value: unknown): [string, unknown][] =>
  Object.entries(value as Named).filter(([, each]) => each !== undefined);

/** A rule for values that are objects; others pass. */
function ofObject(judge: (value: Named, path: Path, issues?: Issue[], seen?: Seen) => boolean): Rule {
  return (value, path, issues, seen) => !isObject(value) || judge(value, path, issues, seen);
}

/** Looks the rules up for the names that an object has, where it has few and there are many rules. */
function pickFor(rules: readonly Entry[]): (object: Named) => readonly Entry[] {
  const byName = new Map(rules.map(entry => [entry.name, entry]));
  return object => {
    spend(rules.length < many ? rules.length >> 2 : 1);
    if (rules.length < many) return rules;
    const names = namesOf(object);
    if (names.length * 8 > rules.length) return rules;
    return names.flatMap(name => byName.get(name) ?? []);
  };
}

const many = 32;

const properties: CompileKeyword = (value, { rule }) => {
  const pick = pickFor(entriesOf(value).map(([name, schema]) => ({ name, rule: rule(schema) })));
  return (object, path, issues, seen) => {
    if (!isObject(object)) return true;
    const entries = pick(object);
    let fits = true;
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at] as Entry;
      const child = own(object, entry.name);
      if (child === undefined) continue;
      seen?.add(entry.name);
      if (entry.rule(child, issues === undefined ? path : [...path, entry.name], issues)) continue;
      if (isEnough(issues)) return false;
      fits = false;
    }
    return fits;
  };
};

/** All names that are there, which takes as long as there are many. */
function namesOf(object: Named): readonly string[] {
  const names = presentKeys(object);
  spend(2 + 2 * names.length);
  return names;
}

/** The properties that `judges` picks, all by one rule. */
function some(judges: (name: string, seen: Seen | undefined) => boolean, each: Rule): Rule {
  return ofObject((object, path, issues, seen) => {
    let fits = true;
    for (const name of namesOf(object)) {
      if (!judges(name, seen)) continue;
      seen?.add(name);
      if (each(own(object, name), issues === undefined ? path : [...path, name], issues)) continue;
      if (isEnough(issues)) return false;
      fits = false;
    }
    return fits;
  });
}

const tester = (source: string): ((name: string) => boolean) => {
  const pattern = compilePattern(source);
  return name => {
    if (pattern === undefined) return false;
    spend(pattern.weigh(name.length));
    return pattern.test(name);
  };
};

const patternProperties: CompileKeyword = (value, { rule }) => {
  const rules = entriesOf(value).map(([source, schema]) => some(tester(source), rule(schema)));
  return (object, path, issues, seen) => {
    let fits = true;
    for (const each of rules) {
      if (each(object, path, issues, seen)) continue;
      // Each has its own reasons.
      if (isEnough(issues)) return false;
      fits = false;
    }
    return fits;
  };
};

const additionalProperties: CompileKeyword = (value, { rule, schema }) => {
  const known = new Set(
    isObject(schema['properties']) ? entriesOf(schema['properties']).map(([name]) => name) : [],
  );
  const patterns = isObject(schema['patternProperties'])
    ? entriesOf(schema['patternProperties']).map(([source]) => tester(source))
    : [];
  return some(name => !known.has(name) && !patterns.some(matches => matches(name)), rule(value));
};

const propertyNames: CompileKeyword = (value, { rule }) => {
  const each = rule(value);
  const message = 'is not a property name the schema allows';
  return ofObject((object, path, issues) => {
    let fits = true;
    for (const name of namesOf(object)) {
      if (each(name, path)) continue;
      issues?.push({ path: [...path, name], message, keyword: 'propertyNames' });
      if (isEnough(issues)) return false;
      fits = false;
    }
    return fits;
  });
};

const required: CompileKeyword = value => {
  const names = [...new Set(value as readonly string[])];
  return (object, path, issues) => {
    if (!isObject(object)) return true;
    let fits = true;
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at] as string;
      if (own(object, name) !== undefined) continue;
      issues?.push({ path: [...path, name], message: phrases.required, keyword: 'required' });
      if (isEnough(issues)) return false;
      fits = false;
    }
    return fits;
  };
};

/** For each property that is there: others that it needs, or a schema for the whole object. */
const dependencies =
  (keyword: string): CompileKeyword =>
  (value, seat) => {
    const pick = pickFor(
      entriesOf(value).map(([name, needs]) => ({ name, rule: dependency(name, needs, keyword, seat) })),
    );
    return ofObject((object, path, issues, seen) => {
      let fits = true;
      for (const { name, rule } of pick(object)) {
        if (own(object, name) === undefined || rule(object, path, issues, seen)) continue;
        if (isEnough(issues)) return false;
        fits = false;
      }
      return fits;
    });
  };

function dependency(name: string, needs: unknown, keyword: string, { rule }: Seat): Rule {
  if (!Array.isArray(needs)) return inPlace(rule(needs));
  const message = `needs ${outlineList(needs)} beside it`;
  const names = [...new Set(needs.map(String))];
  return ofObject((object, path, issues) => {
    if (names.every(each => own(object, each) !== undefined)) return true;
    issues?.push({ path: [...path, name], message, keyword });
    return false;
  });
}

export const unevaluatedProperties: CompileKeyword = (value, { rule }) => {
  const each = rule(value);
  return ofObject((object, path, issues, seen) => {
    let fits = true;
    for (const name of namesOf(object)) {
      if (seen?.has(name)) continue;
      seen?.add(name);
      if (each(own(object, name), path)) continue;
      issues?.push({ path: [...path, name], message: phrases.forbidden, keyword: 'unevaluatedProperties' });
      if (isEnough(issues)) return false;
      fits = false;
    }
    return fits;
  });
};

export const objectRules: Readonly<Record<string, CompileKeyword>> = {
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  required,
  dependentRequired: dependencies('dependentRequired'),
  dependentSchemas: dependencies('dependentSchemas'),
  dependencies: dependencies('dependencies'),
};

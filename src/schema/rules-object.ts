/** Keywords that judge the properties of an object. */
import { isObject } from '../basics/json.ts';
import { sketchList } from '../basics/sketch.ts';
import type { Issue } from './issues.ts';
import { compilePattern } from './pattern.ts';
import { phrases } from './phrases.ts';
import { own, presentKeys } from './present.ts';
import { type CompileKeyword, inPlace, type Path, type Rule, type Seat, type Seen } from './rule.ts';

type Named = Readonly<Record<string, unknown>>;

const entriesOf = (value: unknown): [string, unknown][] =>
  Object.entries(value as Named).filter(([, each]) => each !== undefined);

/** A rule for values that are objects; others pass. */
function ofObject(judge: (value: Named, path: Path, issues?: Issue[], seen?: Seen) => boolean): Rule {
  return (value, path, issues, seen) => !isObject(value) || judge(value, path, issues, seen);
}

const properties: CompileKeyword = (value, { rule }) => {
  const rules = entriesOf(value).map(([name, schema]) => [name, rule(schema)] as const);
  return ofObject((object, path, issues, seen) => {
    let fits = true;
    for (const [name, each] of rules) {
      const child = own(object, name);
      if (child === undefined) continue;
      seen?.add(name);
      if (each(child, issues === undefined ? path : [...path, name], issues)) continue;
      if (issues === undefined) return false;
      fits = false;
    }
    return fits;
  });
};

/** The properties that `judges` picks, all by one rule. */
function some(judges: (name: string, seen: Seen | undefined) => boolean, each: Rule): Rule {
  return ofObject((object, path, issues, seen) => {
    let fits = true;
    for (const name of presentKeys(object)) {
      if (!judges(name, seen)) continue;
      seen?.add(name);
      if (each(own(object, name), issues === undefined ? path : [...path, name], issues)) continue;
      if (issues === undefined) return false;
      fits = false;
    }
    return fits;
  });
}

const tester = (source: string): ((name: string) => boolean) => {
  const pattern = compilePattern(source);
  return name => pattern?.test(name) === true;
};

const patternProperties: CompileKeyword = (value, { rule }) => {
  const rules = entriesOf(value).map(([source, schema]) => some(tester(source), rule(schema)));
  return (object, path, issues, seen) => {
    // Each has its own reasons.
    const unfit = rules.filter(each => !each(object, path, issues, seen));
    return unfit.length === 0;
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
  return ofObject((object, path, issues) => {
    const unfit = presentKeys(object).filter(name => !each(name, path));
    const message = 'is not a property name the schema allows';
    for (const name of unfit) issues?.push({ path: [...path, name], message, keyword: 'propertyNames' });
    return unfit.length === 0;
  });
};

const required: CompileKeyword = value =>
  ofObject((object, path, issues) => {
    const missing = (value as readonly string[]).filter(name => own(object, name) === undefined);
    for (const name of missing) {
      issues?.push({ path: [...path, name], message: phrases.required, keyword: 'required' });
    }
    return missing.length === 0;
  });

/** For each property that is there: others that it needs, or a schema for the whole object. */
const dependencies =
  (keyword: string): CompileKeyword =>
  (value, seat) => {
    const rules = entriesOf(value).map(
      ([name, needs]) => [name, dependency(name, needs, keyword, seat)] as const,
    );
    return ofObject((object, path, issues, seen) => {
      let fits = true;
      for (const [name, each] of rules) {
        if (own(object, name) !== undefined && !each(object, path, issues, seen)) fits = false;
      }
      return fits;
    });
  };

function dependency(name: string, needs: unknown, keyword: string, { rule }: Seat): Rule {
  if (!Array.isArray(needs)) return inPlace(rule(needs));
  const message = `needs ${sketchList(needs)} beside it`;
  return ofObject((object, path, issues) => {
    if (needs.every(each => own(object, String(each)) !== undefined)) return true;
    issues?.push({ path: [...path, name], message, keyword });
    return false;
  });
}

export const unevaluatedProperties: CompileKeyword = (value, { rule }) => {
  const each = rule(value);
  return ofObject((object, path, issues, seen) => {
    const rest = presentKeys(object).filter(name => !seen?.has(name));
    const unfit = rest.filter(name => !each(own(object, name), path));
    const keyword = 'unevaluatedProperties';
    for (const name of unfit) issues?.push({ path: [...path, name], message: phrases.forbidden, keyword });
    for (const name of rest) seen?.add(name);
    return unfit.length === 0;
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

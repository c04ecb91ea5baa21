/** Makes one rule of a whole schema: the keywords of each schema in it, and the references between them. */
import { isObject } from '../basics/json.ts';
import { phrases } from './fixed-phrases.ts';
import type { Inspection } from './inspect.ts';
import { all, type CompileKeyword, inPlace, type Rule, type Seat, type Seen, spend, test } from './rule.ts';
import { arrayRules, unevaluatedItems } from './rules-array.ts';
import { combinedRules } from './rules-combined.ts';
import { objectRules, unevaluatedProperties } from './rules-object.ts';
import { scalarRules } from './rules-scalar.ts';

const first: ReadonlyMap<string, CompileKeyword> = new Map(
  Object.entries({ ...scalarRules, ...objectRules, ...arrayRules, ...combinedRules }),
);
/** They judge what no other keyword has judged. */
const last: ReadonlyMap<string, CompileKeyword> = new Map(
  Object.entries({ unevaluatedProperties, unevaluatedItems }),
);

/** The URIs of the schemas in use, outermost first. */
const scope: string[] = [];

/** The rule of a schema that was inspected. */
export function compileRules(root: unknown, { references, bases, refers }: Inspection): Rule {
  const made = new Map<object, Rule>();

  /** `outer` is the URI of the schema that leads here. */
  function ruleOf(schema: unknown, outer: string): Rule {
    if (!isObject(schema)) return schema === false ? nothing : anything;
    const base = bases.get(schema) ?? outer;
    let rule = made.get(schema);
    if (!rule) {
      rule = compile(schema, base);
      made.set(schema, rule);
    }
    return refers && base !== outer ? scoped(rule, base) : rule;
  }

  function compile(schema: Readonly<Record<string, unknown>>, base: string): Rule {
    /** Made when first used: it may be one that is being made. */
    const lead = (reference: string, from: string): Rule | undefined => {
      const target = references.find(reference, from);
      if (!target) return undefined;
      let rule: Rule | undefined;
      return inPlace((value, path, issues, seen) => {
        rule ??= ruleOf(target.schema, base);
        return rule(value, path, issues, seen);
      });
    };
    const seat: Seat = {
      schema,
      rule: inner => ruleOf(inner, base),
      refer: reference => lead(reference, base),
      referAnew(reference, anchor, mark) {
        const near = lead(reference, base);
        const isMarked = (from: string, to: string): boolean => {
          const target = references.find(to, from)?.schema;
          return isObject(target) && target[anchor] === mark;
        };
        if (near && !isMarked(base, reference)) return near;
        const local = reference.slice(reference.indexOf('#'));
        const found = new Map<string, Rule | undefined>();
        return (value, path, issues, seen) => {
          for (const from of scope) {
            if (!found.has(from)) found.set(from, isMarked(from, local) ? lead(local, from) : undefined);
            const rule = found.get(from);
            if (rule) return rule(value, path, issues, seen);
          }
          return (near ?? nothing)(value, path, issues, seen);
        };
      },
    };
    const rules: Rule[] = [];
    const rest: Rule[] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      if (value === undefined) continue;
      const late = last.get(keyword)?.(value, seat);
      if (late) rest.push(late);
      const rule = first.get(keyword)?.(value, seat);
      // The type first: when it is wrong, nothing else is worth telling.
      if (rule && keyword === 'type') rules.unshift(rule);
      else if (rule) rules.push(rule);
    }
    const every = all(rules, schema['type'] !== undefined);
    return rest.length === 0 ? every : withRest(every, all(rest));
  }

  return ruleOf(root, '');
}

/** Forgets the schemas that were in use when a value was given up. */
export function beginScope(): void {
  scope.length = 0;
}

const anything: Rule = () => {
  spend(1);
  return true;
};
const nothing: Rule = all([test(() => false, phrases.forbidden, 'boolean')]);

function scoped(rule: Rule, base: string): Rule {
  return (value, path, issues, seen) => {
    scope.push(base);
    const fits = rule(value, path, issues, seen);
    scope.pop();
    return fits;
  };
}

function withRest(every: Rule, rest: Rule): Rule {
  return (value, path, issues, seen) => {
    const own: Seen = new Set();
    if (!every(value, path, issues, own) || !rest(value, path, issues, own)) return false;
    for (const each of own) seen?.add(each);
    return true;
  };
}

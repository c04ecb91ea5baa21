/** Keywords that judge the items of an array. */
import { phraseContains } from './phrases.ts';
import { type CompileKeyword, isEnough, type Rule, type Seat } from './rule.ts';

/** Judges the items from `first` up to `end`, each by the rule for its place. */
function places(first: number, end: number, ruleAt: (index: number) => Rule | undefined): Rule {
  return (value, path, issues, seen) => {
    if (!Array.isArray(value)) return true;
    let fits = true;
    const last = Math.min(end, value.length);
    for (let index = first; index < last; index += 1) {
      seen?.add(index);
      const each = ruleAt(index);
      if (each?.(value[index], issues === undefined ? path : [...path, index], issues) !== false) continue;
      if (isEnough(issues)) return false;
      fits = false;
    }
    return fits;
  };
}

function front(schemas: readonly unknown[], { rule }: Seat): Rule {
  const rules = schemas.map(each => rule(each));
  return places(0, rules.length, index => rules[index]);
}

const behind = (count: number, each: Rule): Rule => places(count, Number.POSITIVE_INFINITY, () => each);

/** Before 2020-12 the list for the front stood in `items` itself. */
const items: CompileKeyword = (value, seat) => {
  if (Array.isArray(value)) return front(value, seat);
  const { prefixItems } = seat.schema;
  return behind(Array.isArray(prefixItems) ? prefixItems.length : 0, seat.rule(value));
};

const additionalItems: CompileKeyword = (value, { schema, rule }) =>
  Array.isArray(schema['items']) ? behind(schema['items'].length, rule(value)) : undefined;

const contains: CompileKeyword = (value, { schema, rule }) => {
  const { minContains, maxContains } = schema;
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY;
  const each = rule(value);
  return (given, path, issues, seen) => {
    if (!Array.isArray(given)) return true;
    let count = 0;
    for (const [index, item] of given.entries()) {
      if (!each(item, path)) continue;
      count += 1;
      seen?.add(index);
    }
    if (count >= least && count <= most) return true;
    issues?.push({ path, message: phraseContains(least, maxContains), keyword: 'contains' });
    return false;
  };
};

export const unevaluatedItems: CompileKeyword = (value, { rule }) => {
  const each = rule(value);
  return (given, path, issues, seen) => {
    if (!Array.isArray(given)) return true;
    const fits = given.every((item, index) => seen?.has(index) || each(item, path));
    for (const index of given.keys()) seen?.add(index);
    const message = 'must not have items beyond those the schema names';
    if (!fits) issues?.push({ path, message, keyword: 'unevaluatedItems' });
    return fits;
  };
};

export const arrayRules: Readonly<Record<string, CompileKeyword>> = {
  prefixItems: (value, seat) => front(value as readonly unknown[], seat),
  items,
  additionalItems,
  contains,
};

/** typebox's JSON Schema engine (`Check` and `Errors`), patched: what it exports here, and every text that is changed. */
/** What the bundle exports. The same steps as typebox's Check and Errors, without its argument matching and locales. */
const entry = `
import { allow, WorkLimitError } from 'work-limit';
import { Stack } from './engine/_stack.mjs';
import { CheckContext, ErrorContext } from './engine/_context.mjs';
import { CheckSchema, ErrorSchema } from './engine/schema.mjs';
export { WorkLimitError };
export function check(remotes, schema, value, work, matches) {
  allow(work, matches);
  return CheckSchema(Stack(remotes, schema), new CheckContext(), schema, value);
}
export function errors(remotes, schema, value, work, matches) {
  allow(work, matches);
  const context = new ErrorContext();
  ErrorSchema(Stack(remotes, schema), context, '#', '', schema, value);
  return context.GetErrors();
}
`;

/** Counts evaluated subschemas, so that a recursive schema cannot run for ever on a small value; patterns count theirs. */
const workLimit = `
export class WorkLimitError extends Error {}
let left = 0;
let judge;
export function allow(work, matches) { left = work; judge = matches; }
export function matches(pattern, text) { return judge(pattern, text); }
export function spend() { if (--left < 0) throw new WorkLimitError('too many subschemas evaluated'); }
`;

/** Modules replaced whole. */
const replaced = {
  // An annotation since 2019-09, and never asserted by default before.
  'schema/engine/format.mjs': `
    export const CheckFormat = () => true; export const ErrorFormat = () => true; export const BuildFormat = () => {};`,
  // Code inside schemas; a schema that came as JSON has none.
  'schema/engine/_refine.mjs': `
    export const CheckRefine = () => true; export const ErrorRefine = () => true; export const BuildRefine = () => {};`,
  // The platform's own expressions can backtrack for ever.
  'schema/engine/_regexp.mjs': `
    import { matches } from 'work-limit';
    export const UnicodeRegExp = pattern => ({ test: text => matches(pattern, text) });`,
};

/** Texts replaced inside a module: [module, text, replacement, how often the text must occur]. */
const patched = [
  // Names such as "toString" must not be found on the prototype.
  [
    'guard/guard.mjs',
    'return IsUnsafePropertyKey(key) ? Object.prototype.hasOwnProperty.call(value, key) : key in value;',
    'return Object.prototype.hasOwnProperty.call(value, key);',
    1,
  ],
  [
    'schema/engine/_exact_optional.mjs',
    'return G.IsUndefined(value[key]);',
    'return !G.HasPropertyKey(value, key) || G.IsUndefined(value[key]);',
    1,
  ],
  // A definition may be named "constructor".
  [
    'schema/pointer/pointer.mjs',
    'if (!Guard.IsObject(current) || Guard.IsUnsafePropertyKey(index))\n            return undefined;',
    'if (!Guard.IsObject(current) || !Guard.HasPropertyKey(current, index))\n            return undefined;',
    1,
  ],
  // One expression joined of all names and patterns breaks on patterns with groups, and is slow.
  [
    'schema/engine/additionalProperties.mjs',
    'const regexp = UnicodeRegExp(GetPropertiesPattern(schema));',
    `const patterns = Schema.IsPatternProperties(schema) ? G.Keys(schema.patternProperties).map(UnicodeRegExp) : [];
    const regexp = { test: key => (Schema.IsProperties(schema) && G.HasPropertyKey(schema.properties, key)) || patterns.some(pattern => pattern.test(key)) };`,
    2,
  ],
  [
    'schema/engine/schema.mjs',
    'export function CheckSchema(stack, context, schema, value) {',
    "import { spend } from 'work-limit';\nexport function CheckSchema(stack, context, schema, value) {\n    spend();",
    1,
  ],
  [
    'schema/engine/schema.mjs',
    'export function ErrorSchema(stack, context, schemaPath, instancePath, schema, value) {',
    'export function ErrorSchema(stack, context, schemaPath, instancePath, schema, value) {\n    spend();',
    1,
  ],
  // Arrays have no properties to evaluate.
  [
    'schema/engine/schema.mjs',
    '(!G.IsObject(value) || CheckUnevaluatedProperties',
    '(!G.IsObjectNotArray(value) || CheckUnevaluatedProperties',
    1,
  ],
  [
    'schema/engine/schema.mjs',
    '(!G.IsObject(value) || ErrorUnevaluatedProperties',
    '(!G.IsObjectNotArray(value) || ErrorUnevaluatedProperties',
    1,
  ],
  // Reasons found in "then" were lost.
  [
    'schema/engine/if.mjs',
    'ErrorSchema(stack, trueContext, `${schemaPath}/then`',
    'ErrorSchema(stack, context, `${schemaPath}/then`',
    1,
  ],
  // Quadratic in the number of duplicates.
  [
    'schema/engine/uniqueItems.mjs',
    'return [...result, index];',
    '{ if (result.length < 8) result.push(index); return result; }',
    1,
  ],
  ['system/settings/settings.mjs', 'maxErrors: 8,', 'maxErrors: 64,', 1],
];

/** @type {import('../vendor.mjs').Recipe} */
export const typebox = {
  name: 'typebox',
  licence: 'license',
  target: 'json-schema-checker.js',
  entry: { contents: entry, folder: 'build/schema' },
  patches: { root: 'build', modules: { 'work-limit': workLimit }, replaced, patched },
};

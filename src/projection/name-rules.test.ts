import { describe, expect, it } from 'vitest';
import { familyNames } from './families.ts';
import { property } from './fixtures/project-property.ts';
import { writeAlias } from './name-rule.ts';
import { projectArguments } from './project-schema.ts';
import { restoreArgumentNames } from './tidy/tidy-arguments.ts';

const alias = writeAlias('a b');

describe('rules for names, where names go by others', () => {
  it.each([
    ['propertyNames', { propertyNames: { pattern: '^[a-z ]+$' }, additionalProperties: false }],
    ['patternProperties', { patternProperties: { '^a ': { minLength: 2 } }, additionalProperties: false }],
  ])('%s is left out for Anthropic, and a value for the tool fits what is shown', async (keyword, rule) => {
    const schema = { type: 'object', properties: { 'a b': { type: 'string' } }, required: ['a b'], ...rule };
    const { root, lost } = property({}, 'anthropic', schema);
    expect(root).not.toHaveProperty(keyword);
    expect(lost).toContain(keyword);
    expect(root).toMatchObject({ properties: { [alias]: { type: 'string' } }, required: [alias] });
    expect(root['additionalProperties']).toBe(keyword === 'patternProperties');
    expect(restoreArgumentNames({ [alias]: 'xy' }, schema).value).toEqual({ 'a b': 'xy' });
  });
  it('stay where no name does', () => {
    const rules = { propertyNames: { pattern: '^[a-z]+$' }, patternProperties: { '^a': { minLength: 2 } } };
    const { root, lost } = property({}, 'anthropic', rules);
    expect(root).toMatchObject(rules);
    expect(lost).toEqual([]);
  });
});

it.each(familyNames)(
  '%s is not told that names are forbidden which a pattern it cannot read allows',
  family => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      patternProperties: { '^(?!b)': { type: 'string' } },
      additionalProperties: false,
    };
    const projected = projectArguments(schema, family);
    expect(projected.ok && projected.strict).toBe(false);
    expect(projected.ok && projected.schema['additionalProperties']).not.toBe(false);
  },
);

import { describe, expect, it } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { familyNames } from './families.ts';
import { providerRules } from './fixtures/provider-rules.ts';
import { projectTools } from './project-tools.ts';
import type { ToolDefinition } from './projection.ts';

const good: ToolDefinition = {
  name: 'good',
  description: 'fine',
  parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
};
const tool = (name: string, parameters: unknown): ToolDefinition =>
  ({ name, description: '', parameters }) as ToolDefinition;

describe.each(familyNames)('tools for %s', family => {
  const rules = providerRules[family];
  it('keep their order, names, descriptions and what their schemas say', () => {
    const { tools, dropped, losses } = projectTools([good, { ...good, name: 'second' }], family);
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['good', 'fine'],
      ['second', 'fine'],
    ]);
    expect(tools[0]?.parameters).toMatchObject(good.parameters);
    expect([dropped, losses]).toEqual([[], []]);
    expect(tools.map(each => each.strict)).toEqual(
      family === 'openai-strict' ? [true, true] : [false, false],
    );
  });
  it('are none for none', () => {
    expect(projectTools([], family)).toMatchObject({ tools: [], dropped: [], losses: [] });
  });
  it.each([
    ['a type that is not object', { type: 'string' }],
    ['a reference that leads nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }],
    ['a reference to elsewhere', { type: 'object', properties: { a: { $ref: 'https://a.example/s.json' } } }],
    ['a type that does not exist', { type: 'object', properties: { a: { type: 'text' } } }],
    ['a schema that comes back to itself', { type: 'object', allOf: [{ $ref: '#' }] }],
    ['a list', []],
    ['a text', 'object'],
    ['false', false],
    ['a cycle of objects', cycle()],
    ['something that is not JSON', { type: 'object', default: 1n }],
  ])('one with %s is left out alone, with its name and a reason', (_, parameters) => {
    const { tools, dropped } = projectTools([tool('bad', parameters), good], family);
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(dropped).toEqual([{ tool: 'bad', reason: expect.stringMatching(/\w+ \w+/) }]);
  });
  it('one that is bad among fifty is the only one left out', () => {
    const list = Array.from({ length: 50 }, (_, at) =>
      tool(`t${at}`, at === 20 ? { type: 'text' } : good.parameters),
    );
    const { tools, dropped } = projectTools(list, family);
    expect([tools.length, dropped.map(each => each.tool)]).toEqual([49, ['t20']]);
  });
  it.each([
    ['no schema', undefined],
    ['null as a schema', null],
    ['nothing but $schema', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['no properties', { type: 'object' }],
    ['no type', { properties: {} }],
    ['an empty schema', {}],
    ['true as a schema', true],
  ])('one with %s is a tool without arguments', (_, parameters) => {
    const { tools, dropped } = projectTools([tool('bare', parameters)], family);
    expect(dropped).toEqual([]);
    expect(tools[0]?.parameters).toMatchObject({ type: 'object' });
    expect(rules.parameters(tools[0]?.parameters, tools[0]?.strict === true)).toEqual([]);
    expect(tools[0]?.parameters['properties']).toEqual(family === 'gemini' ? undefined : {});
  });
  it('without a name, or with the name of another, are left out', () => {
    const { tools, dropped } = projectTools(
      [tool('', {}), good, null as unknown as ToolDefinition, good, tool(7 as unknown as string, {})],
      family,
    );
    expect(tools).toHaveLength(1);
    expect(dropped.map(each => each.tool)).toEqual(['tools[0]', 'tools[2]', 'good', 'tools[4]']);
  });
  it('are the same object for the same list, and are not changed', () => {
    const list = Object.freeze([deepFreeze(structuredClone(good))]);
    expect(projectTools(list, family)).toBe(projectTools(list, family));
  });
  it('get aliases that lead back', () => {
    const names = [
      'a.b',
      'a/b',
      'a b',
      'x'.repeat(80),
      `${'x'.repeat(80)}y`,
      'ünï',
      'a-b__c',
      'a_b__c',
      '1st',
    ];
    const projection = projectTools(
      names.map(name => tool(name, {})),
      family,
    );
    expect(projection.tools.flatMap(({ name }) => rules.name(name))).toEqual([]);
    expect(projection.tools.map(({ name }) => projection.nameOf(name))).toEqual(names);
    expect(new Set(projection.tools.map(({ name }) => name)).size).toBe(names.length);
  });
});

it('names in the losses the tool, the place and the keyword', () => {
  const { losses } = projectTools(
    [tool('t', { type: 'object', properties: { 'a/b': { type: 'integer', multipleOf: 5 } } })],
    'gemini',
  );
  expect(losses).toContainEqual({
    tool: 't',
    path: '/properties/a~1b',
    keyword: 'multipleOf',
    message: expect.stringContaining('description'),
  });
});

function cycle(): object {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['properties'] = { a: schema };
  return schema;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

const many = Array.from({ length: 600 }, (_, at) => ({ ...good, name: `t${at}` }));

it.each([
  ['openai', 128],
  ['openai-strict', 128],
  ['generic', 128],
  ['gemini', 512],
  ['anthropic', 600],
] as const)(
  'of 600 tools %s is sent the first %i, and the rest is left out with a remedy',
  (family, most) => {
    const projection = projectTools([tool('bad', { type: 'text' }), ...many], family);
    expect(projection.tools.map(({ name }) => name)).toEqual(many.slice(0, most).map(({ name }) => name));
    expect(providerRules[family].tools(projection.tools)).toEqual([]);
    expect(projection.dropped.map(each => each.tool)).toEqual([
      'bad',
      ...many.slice(most).map(({ name }) => name),
    ]);
    for (const { reason } of projection.dropped.slice(1)) {
      expect(reason).toContain(`at most ${most} tools are taken`);
      expect(reason).toContain('filter them, or set definitionBudget');
    }
  },
);

it.each(['openai', 'openai-strict', 'generic'] as const)(
  '%s is sent 1,024 characters of a description',
  family => {
    const description = 'word '.repeat(400).trim();
    const { tools, losses } = projectTools(
      [
        { ...good, description },
        { ...good, name: 'short' },
      ],
      family,
    );
    expect(tools[0]?.description).toMatch(/^(word )+\[…\]$/);
    expect(tools[0]?.description.length).toBeGreaterThan(1000);
    expect(tools[1]?.description).toBe('fine');
    expect(providerRules[family].tools(tools)).toEqual([]);
    expect(losses).toEqual([
      {
        tool: 'good',
        path: '',
        keyword: 'description',
        message: "the tool's description is cut: it has 1999 characters, and at most 1024 are taken",
      },
    ]);
  },
);

it.each(['anthropic', 'gemini'] as const)('%s is sent a description of any length', family => {
  const description = 'word '.repeat(4000);
  const { tools, losses } = projectTools([{ ...good, description }], family);
  expect([tools[0]?.description, losses]).toEqual([description, []]);
});

it.each(familyNames)(
  'a tool with a pattern of Python is sent to %s without it, and its arguments are judged by it',
  async family => {
    const parameters = { type: 'object', properties: { a: { type: 'string', pattern: '(?i)^abc$' } } };
    const { tools, dropped, losses } = projectTools([{ name: 't', description: '', parameters }], family);
    expect([tools.length, dropped.length]).toEqual([1, 0]);
    expect(JSON.stringify(tools[0]?.parameters)).not.toContain('"pattern":');
    expect(losses).toMatchObject([{ path: '/properties/a', keyword: 'pattern' }]);
    const { validate } = compileSchema(parameters);
    expect([(await validate({ a: 'ABC' })).ok, (await validate({ a: 'abd' })).ok]).toEqual([true, false]);
  },
);

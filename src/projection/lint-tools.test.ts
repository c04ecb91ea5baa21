import { expect, it } from 'vitest';
import { familyNames } from './families.ts';
import { lintTools } from './lint-tools.ts';
import type { ToolDefinition } from './projection.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'docs.get',
    description: '',
    parameters: { type: 'object', properties: { n: { type: 'integer', multipleOf: 2 } } },
  },
  { name: 'bad', description: '', parameters: { type: 'string' } },
  { name: 'good', description: '', parameters: { type: 'object' } },
  { name: 'good', description: '', parameters: { type: 'object' } },
];

it('tells of every tool at every family, tool by tool', () => {
  const reports = lintTools(tools);
  expect(reports.map(({ tool, family }) => `${tool} ${family}`)).toEqual(
    tools.flatMap(({ name }) => familyNames.map(family => `${name} ${family}`)),
  );
});
it('says what a tool is called and why, whether it is strict, and what is lost', () => {
  const [report, strict] = lintTools(tools, ['generic', 'openai-strict']);
  expect(report).toEqual({
    tool: 'docs.get',
    family: 'generic',
    alias: expect.stringMatching(/^docs_get_[0-9a-z]{10}$/),
    renamed: expect.stringContaining('letters, digits'),
    strict: false,
    losses: [{ path: '/properties/n', keyword: 'multipleOf', message: expect.any(String) }],
  });
  expect(strict).toMatchObject({ family: 'openai-strict', strict: true, losses: [] });
});
it('says why a tool is left out', () => {
  const reports = lintTools(tools, ['gemini']);
  expect(reports.map(({ tool, dropped }) => [tool, dropped === undefined])).toEqual([
    ['docs.get', true],
    ['bad', false],
    ['good', true],
    ['good', false],
  ]);
  expect(reports[1]).not.toHaveProperty('alias');
  expect(reports[1]?.dropped).toMatch(/must describe an object/);
  expect(reports[2]).toEqual({ tool: 'good', family: 'gemini', alias: 'good', strict: false, losses: [] });
});
it('is JSON', () => {
  const reports = lintTools(tools);
  expect(JSON.parse(JSON.stringify(reports))).toEqual(reports);
});

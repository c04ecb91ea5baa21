import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { scripted } from '../../testing/scripted.ts';
import type { Tool } from '../../tools/tool.ts';
import { every, invoice } from './fixtures/patterns.ts';
import type { PatternBounds } from './pattern-bounds.ts';
import { type ServePatternsOptions, servePatterns } from './serve-patterns.ts';

const schemaOf = (tools: readonly Tool[], name: string): Readonly<Record<string, unknown>> => {
  const found = tools.find(each => each.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return compileSchema(found.input).json;
};

describe('the patterns that are served', () => {
  it('are those that the operator names, in one order', () => {
    const model = scripted([]);
    const names = (patterns: ServePatternsOptions['patterns']) =>
      servePatterns({ model, patterns }).map(({ name }) => name);
    expect(names(every)).toEqual(['consensus', 'react_loop', 'refine', 'structured', 'map_reduce']);
    expect(names({ map_reduce: true, refine: { maxIterations: 2 }, consensus: false })).toEqual([
      'refine',
      'map_reduce',
    ]);
    expect(names(['refine'])).toEqual(['refine']);
    expect(names({})).toEqual([]);
  });

  it.each<[PatternBounds | string, RegExp]>([
    ['all', /patterns must be a list of names or a record of bounds/],
    [{ refine: 7 as never }, /patterns\.refine must be true or an object of bounds, got 7/],
    [{ consensus: { maxSamples: 0 } }, /patterns\.consensus: maxSamples must be an integer of at least 1/],
    [
      { consensus: { strategies: ['best' as never] } },
      /strategies must be a list of "majority" and "unanimous"/,
    ],
    [{ refine: { maxIterations: -1 } }, /maxIterations must be an integer of at least 0/],
    [{ structured: true as never }, /schemas must be a record of at least one schema by name/],
    [{ structured: { schemas: {} } }, /schemas must be a record of at least one schema by name/],
    [
      { structured: { schemas: { bad: { schema: { type: 'nonsense' } } } } },
      /patterns\.structured\.schemas\.bad is not a usable schema/,
    ],
  ])('are refused with what is wrong: %j', (patterns, message) => {
    expect(() => servePatterns({ model: scripted([]), patterns: patterns as PatternBounds })).toThrow(
      message,
    );
  });

  it('show the bounds of the operator in the schema that callers see', () => {
    const tools = servePatterns({
      model: scripted([]),
      patterns: {
        consensus: { maxSamples: 2, strategies: ['unanimous'], maxPrompt: 10 },
        react_loop: { maxRounds: 3 },
        refine: { maxIterations: 2 },
        structured: { maxRepairs: 1, schemas: { a: { schema: invoice }, b: { schema: {} } } },
        map_reduce: { maxItems: 4, maxItemLength: 5, maxTemplate: 6 },
      },
    });
    expect(schemaOf(tools, 'consensus')).toMatchObject({
      properties: {
        prompt: { maxLength: 10 },
        n: { minimum: 1, maximum: 2, default: 2 },
        strategy: { enum: ['unanimous'], default: 'unanimous' },
      },
    });
    expect(schemaOf(tools, 'react_loop')).toMatchObject({
      properties: { max_rounds: { maximum: 3, default: 3 } },
    });
    expect(schemaOf(tools, 'refine')).toMatchObject({
      properties: { max_iterations: { minimum: 0, maximum: 2, default: 2 }, target: { default: 0.9 } },
    });
    expect(schemaOf(tools, 'structured')).toMatchObject({
      properties: { schema: { enum: ['a', 'b'] }, max_repairs: { maximum: 1, default: 1 } },
      required: ['prompt', 'schema'],
    });
    expect(schemaOf(tools, 'map_reduce')).toMatchObject({
      properties: { items: { maxItems: 4, items: { maxLength: 5 } }, map: { maxLength: 6 } },
    });
  });

  it('are described in few words, as an object with nothing else in it', () => {
    for (const { name, description, input } of servePatterns({ model: scripted([]), patterns: every })) {
      expect(description.length / 4, name).toBeLessThanOrEqual(120);
      expect(compileSchema(input).json).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });
});

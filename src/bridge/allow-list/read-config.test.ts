import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { configSchema } from './config-schema.ts';
import { faultsOf } from './fixtures/faults.ts';
import { surroundings } from './fixtures/served.ts';
import { readConfig } from './read-config.ts';

const served = { patterns: { consensus: true } };
const files = { mcpServers: { files: { command: 'x' } }, ...served };

describe('a configuration', () => {
  it('is read with its variables filled in and its models named', async () => {
    const read = await readConfig(
      {
        $schema: './node_modules/tenon/config.schema.json',
        name: 'library',
        instructions: `Ask about books, in $\{LANGUAGE:-English}.`,
        models: {
          default: { model: 'anthropic:claude', apiKey: `$\{KEY}` },
          small: { model: 'qwen3:8b', baseUrl: `$\{URL:-http://localhost:11434/v1}` },
        },
        mcpServers: {
          files: { command: 'npx', args: ['-y', 'files', `$\{HOME_FOLDER:-/data}`], disabled: false },
          web: { type: 'http', url: 'https://example.com/mcp', headers: { authorization: `Bearer $\{KEY}` } },
          other: { command: `$\{NOT_SET}` },
        },
        tools: {
          files: {
            allow: ['read_*', '!read_secret'],
            rules: { 'read_*': { pin: { root: `$\{ROOT:-/r}` } } },
          },
          web: { allow: ['search'], approval: 'ask', timeout: 5000 },
        },
        budgets: { call: { calls: 10 }, process: { tokens: 1e6, ms: 3.6e6 } },
        patterns: {
          consensus: { model: 'small', maxSamples: 5 },
          react_loop: { tools: ['files/*', 'builtin/calculator'] },
          refine: false,
          structured: { schemas: { a: { schema: { type: 'string', pattern: '^[$]{1}$' } } } },
        },
        agents: { librarian: { description: 'Finds books', tools: ['web/*'], maxTurns: 4 } },
      },
      surroundings,
    );
    expect(read).toEqual({
      ok: true,
      config: {
        name: 'library',
        instructions: 'Ask about books, in English.',
        models: {
          default: { model: 'anthropic:claude', apiKey: 'sk-fixture-0000' },
          small: { model: 'qwen3:8b', baseUrl: 'http://localhost:11434/v1' },
        },
        servers: {
          files: {
            entry: { transport: 'stdio', command: 'npx', args: ['-y', 'files', '/data'], env: {} },
            access: { allow: ['read_*', '!read_secret'], rules: { 'read_*': { pin: { root: '/r' } } } },
          },
          web: {
            entry: {
              transport: 'http',
              url: 'https://example.com/mcp',
              headers: { authorization: 'Bearer sk-fixture-0000' },
            },
            access: { allow: ['search'], approval: 'ask', timeout: 5000 },
          },
        },
        budgets: { call: { calls: 10 }, process: { tokens: 1e6, ms: 3.6e6 } },
        patterns: {
          consensus: { model: 'small', maxSamples: 5 },
          react_loop: { model: 'default', tools: ['files/*', 'builtin/calculator'] },
          structured: {
            model: 'default',
            schemas: { a: { schema: { type: 'string', pattern: '^[$]{1}$' } } },
          },
        },
        agents: {
          librarian: { description: 'Finds books', model: 'default', tools: ['web/*'], maxTurns: 4 },
        },
        pipes: {},
      },
    });
  });

  it.each<[string, unknown, string | RegExp]>([
    ['is no object', [], ': must be a JSON object'],
    ['is nothing', null, ': must be a JSON object'],
    ['serves nothing', { mcpServers: {} }, /^: nothing is served; name patterns/],
    ['serves what was switched off', { patterns: { consensus: false } }, /^: nothing is served/],
    [
      'has a member too many',
      { ...served, pattern: {} },
      /^pattern: is not allowed here, did you mean "patterns"\?/,
    ],
    [
      'has a slip in a pattern',
      { patterns: { concensus: true } },
      /^patterns\.concensus: .*did you mean "consensus"/,
    ],
    ['has a bound that is none', { patterns: { refine: { maxIterations: -1 } } }, /^patterns\.refine/],
    [
      'leaves a variable open',
      { ...served, instructions: `Hello $\{WHO}` },
      `instructions: names the variable WHO, which is not set; set it, or write $\{WHO:-value}`,
    ],
    [
      'leaves a variable of a server open',
      { ...served, mcpServers: { a: { command: 'x', env: { T: `$\{T}` } } }, tools: { a: { allow: ['b'] } } },
      /^mcpServers\.a\.env\.T: names the variable T, which is not set/,
    ],
    [
      'has a server with no way to it',
      { ...served, mcpServers: { a: {} }, tools: { a: { allow: ['b'] } } },
      'mcpServers.a: has neither a "command" nor a "url"',
    ],
    [
      'has a URL that is none',
      { ...served, mcpServers: { a: { url: 'ftp://x' } }, tools: { a: { allow: ['b'] } } },
      /^mcpServers\.a\.url: must begin with http/,
    ],
    [
      'allows tools of a server that is not there',
      { ...files, tools: { file: { allow: ['x'] } } },
      'tools.file: there is no server of this name in "mcpServers", did you mean "files"?',
    ],
    ['allows an empty list', { ...files, tools: { files: { allow: [] } } }, /^tools\.files\.allow/],
    [
      'allows all but some',
      { ...files, tools: { files: { allow: ['!delete'] } } },
      /^tools\.files\.allow: allows nothing by name/,
    ],
    [
      'allows what nobody named',
      { ...files, tools: { files: { allow: ['read', '*_file'] } } },
      /^tools\.files\.allow\[1\]: takes in tools that nobody named/,
    ],
    [
      'has a folder that is none',
      {
        ...files,
        tools: { files: { allow: ['x'], rules: { x: { arguments: { path: { within: ['data'] } } } } } },
      },
      'tools.files.rules.x.arguments.path.within[0]: must be an absolute folder without ".."',
    ],
    [
      'pins and judges one argument',
      {
        ...files,
        tools: {
          files: { allow: ['x'], rules: { x: { pin: { p: 1 }, arguments: { p: { maxLength: 1 } } } } },
        },
      },
      'tools.files.rules.x.arguments.p: is pinned too; one of the two is enough',
    ],
    [
      'calls a server by a name that is taken',
      { ...served, mcpServers: { builtin: { command: 'x' } }, tools: { builtin: { allow: ['x'] } } },
      /^tools\.builtin: stands for the tools of this package/,
    ],
    [
      'names a model that is not there',
      { models: { default: { model: 'm' } }, patterns: { consensus: { model: 'defualt' } } },
      'patterns.consensus.model: there is no model of this name, did you mean "default"?',
    ],
    [
      'does not say which model',
      { models: { a: { model: 'm' }, b: { model: 'm' } }, ...served },
      'patterns.consensus.model: must say which model, since none is named "default": a, b',
    ],
    [
      'uses tools that are not allowed',
      { patterns: { react_loop: { tools: ['files/read'] } } },
      'patterns.react_loop.tools[0]: nothing is allowed of a server of this name; there are builtin',
    ],
    [
      'names a tool without its server',
      { patterns: { react_loop: { tools: ['read'] } } },
      'patterns.react_loop.tools[0]: must be server/tool, such as "builtin/*"',
    ],
    [
      'has money without prices',
      { ...served, budgets: { process: { money: 1 } } },
      /^budgets\.process: money needs rates/,
    ],
    [
      'has a schema that is none',
      { patterns: { structured: { schemas: { a: { schema: { type: 'nonsense' } } } } } },
      /^patterns\.structured\.schemas\.a\.schema: is not a usable schema/,
    ],
    [
      'has an agent whose output is none',
      { agents: { a: { description: 'd', output: { type: 7 } } } },
      /^agents\.a\.output: is not a usable schema/,
    ],
    [
      'has an agent with the name of a pattern',
      { agents: { refine: { description: 'd' } } },
      'agents.refine: has the name of a pattern; call it something else',
    ],
    [
      'has an agent without a name',
      { agents: { 'a b': { description: 'd' } } },
      /^agents\["a b"\]: is no name/,
    ],
  ])('is refused, with the place and the remedy, when it %s', async (_what, json, expected) => {
    const faults = await faultsOf(json);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(typeof expected === 'string' ? new RegExp(`^${quoted(expected)}$`) : expected);
  });

  it('is told of everything that is wrong at once', async () => {
    const faults = await faultsOf({
      ...files,
      instructions: `$\{A}`,
      tools: { files: { allow: ['*'] }, other: { allow: ['x'] } },
      agents: { a: { description: 'd', model: 'm' } },
    });
    expect(faults.map(fault => fault.split(':')[0])).toEqual([
      'instructions',
      'tools.files.allow[0]',
      'tools.other',
      'agents.a.model',
    ]);
  });

  it('survives names that objects have already', async () => {
    const odd = JSON.parse(
      '{"mcpServers":{"__proto__":{"command":"x"},"constructor":{"command":"x"}},"tools":{"__proto__":{"allow":["a"]},"constructor":{"allow":["a"]}},"patterns":{"consensus":{"model":"constructor"}}}',
    ) as unknown;
    expect(await faultsOf(odd)).toEqual([
      'patterns.consensus.model: there is no model of this name; add it to "models"',
    ]);
  });

  it.each([
    ['a variable', `$\{KEY}`, true],
    ['a variable with a text behind it', `$\{KEY:-sk-other}`, false],
    ['a key', 'sk-other', false],
    ['a key around a variable', `sk-$\{KEY}`, false],
  ])('takes as the key of a model %s: %s', async (_what, apiKey, ok) => {
    const read = await readConfig({ ...served, models: { default: { model: 'm', apiKey } } }, surroundings);
    expect(read.ok).toBe(ok);
  });
});

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describe('the published schema', () => {
  it('is JSON and a usable schema', () => {
    expect(JSON.parse(JSON.stringify(configSchema))).toEqual(configSchema);
    expect(() => compileSchema(configSchema)).not.toThrow();
  });

  it('takes the example of the guide as it stands there', async () => {
    const guide = readFileSync(new URL('../../../docs/guides/allow-list.md', import.meta.url), 'utf8');
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
    expect(await faultsOf(JSON.parse(json), { KEY: 'x', ANTHROPIC_API_KEY: 'x' } as never)).toEqual([]);
  });
});

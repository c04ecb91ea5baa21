import { describe, expect, it } from 'vitest';
import { faultsOf } from './fixtures/faults.ts';

const served = { patterns: { consensus: true } };

describe('what is wrong in several ways', () => {
  it('is told at once: what the schema finds, and what no schema can say of the rest', async () => {
    const faults = await faultsOf({
      models: { default: { model: 'x', apiKey: `$\{NOT_SET}` }, odd: { model: 7 } },
      mcpServers: { files: { command: 'x' } },
      tools: { files: { allow: 7 }, web: { allow: ['read'] } },
      patterns: { consensus: { maxSamples: 'x' }, react_loop: { model: 'nope', tools: ['book/*'] } },
      agents: { one: { description: 'x', model: 'odd' } },
      bogus: 1,
    });
    expect(faults.map(fault => fault.split(':')[0])).toEqual([
      ...[
        'models.odd.model',
        'tools.files.allow',
        'patterns.consensus.maxSamples',
        'bogus',
        'models.default.apiKey',
        'tools.web',
      ],
      ...['patterns.react_loop.tools[0]', 'patterns.react_loop.model'],
    ]);
  });

  it('is told without what could only seem so, where names cannot be read', async () => {
    const agents = { one: { description: 'x', model: 'some' } };
    expect(await faultsOf({ models: 7, agents })).toEqual([expect.stringMatching(/^models: must be/)]);
  });

  it('says of a key that is not set or empty to set it, and not to write it down', async () => {
    const json = { ...served, models: { default: { model: 'x', apiKey: `$\{NO_KEY}` } } };
    expect(await faultsOf(json)).toEqual([
      'models.default.apiKey: names the variable NO_KEY, which is not set; set it to the key',
    ]);
    expect(await faultsOf(json, { NO_KEY: ' ' } as never)).toEqual([
      `models.default.apiKey: names a variable that is empty: $\{NO_KEY}; set it to the key`,
    ]);
  });
});

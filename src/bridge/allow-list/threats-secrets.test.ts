import { afterEach, describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import { checked, closeServed, files, react, serve, surroundings } from './fixtures/served.ts';
import { readConfig } from './read-config.ts';

afterEach(closeServed);

describe('secrets of the operator', () => {
  it('stand in no message about a configuration that is wrong', async () => {
    const environment = { KEY: 'plum 1', TOKEN: 'plum 2' };
    const wrong = [
      { models: { default: { model: ['plum 3'], apiKey: 'plum 4' } }, patterns: { consensus: true } },
      { models: { default: 'plum 5' }, patterns: { consensus: { maxSamples: 'plum 6' } } },
      { mcpServers: { files: 'plum 7' }, tools: { files: { allow: 'plum 8' } } },
      {
        mcpServers: { files: { command: 'x', env: { A: `plum 9 $\{UNSET}` }, url: 'plum 0' } },
        tools: { files: { allow: ['x'], approval: 'plum 1' } },
        agents: { a: { description: 'd', model: `$\{KEY}` } },
      },
      {
        mcpServers: { files: { url: 'plum 2' }, more: { command: 'x', env: { A: `plum 9 $\{UNSET}` } } },
        tools: { files: { allow: ['x'] }, more: { allow: ['x'] } },
        patterns: { consensus: { model: `$\{TOKEN}` } },
      },
    ];
    for (const json of wrong) {
      const read = await readConfig(json, { ...surroundings, environment });
      expect(read.ok).toBe(false);
      expect(JSON.stringify(read)).not.toContain('plum');
    }
  });

  it('are not taken from the file where they would be models’ keys', async () => {
    const wrong = {
      models: { default: { model: 'm', apiKey: 'sk-secret-9' } },
      patterns: { consensus: true },
    };
    const read = await readConfig(wrong, surroundings);
    expect(read).toMatchObject({ ok: false, errors: [{ path: 'models.default.apiKey' }] });
    expect(JSON.stringify(read)).not.toContain('sk-secret');
  });

  it('reach a server only where its entry says so', async () => {
    const { servers } = await checked({
      models: { default: { model: 'm', apiKey: `$\{KEY}` } },
      mcpServers: { files: { command: 'x', env: { A: '1' } }, unused: { command: `$\{UNSET}` } },
      tools: { files: { allow: ['read'] } },
      patterns: { consensus: true },
    });
    expect(servers).toEqual({
      files: {
        access: { allow: ['read'] },
        entry: { transport: 'stdio', command: 'x', args: [], env: { A: '1' } },
      },
    });
  });

  it('do not reach callers in words of a server that fails', async () => {
    const model = scripted([]);
    const setup = await serve(files({ allow: ['read_file'] }), {}, model, {
      connect: () => Promise.reject(new Error('no access with token sk-secret-10')),
    });
    const result = await react(setup);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { kind: 'unreachable', retryable: true },
    });
    expect(JSON.stringify(result)).not.toContain('sk-secret');
    expect(setup.told).toHaveLength(1);
  });
});

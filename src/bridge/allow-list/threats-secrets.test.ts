import { afterEach, describe, expect, it } from 'vitest';
import { stdio } from '../../channels/stdio-client.ts';
import { connect } from '../../client/client.ts';
import { revisions } from '../../eras/index.ts';
import { scripted } from '../../testing/scripted.ts';
import {
  call,
  checked,
  closeServed,
  files,
  react,
  said,
  say,
  serve,
  surroundings,
} from './fixtures/served.ts';
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

  it('do not reach models or callers in the command line or the last words of a server that ends', async () => {
    const script = `
      const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      const tools = [{ name: 'read_file', inputSchema: { type: 'object' } }];
      const info = { protocolVersion: '${revisions[0]}', capabilities: { tools: {} }, serverInfo: { name: 'e', version: '1' } };
      require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') reply(id, info);
        else if (method === 'tools/list') reply(id, { tools });
        else if (method === 'tools/call') require('node:fs').writeSync(2, 'grape3stone'), process.exit(1);
        else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
      });`;
    const args = ['--title=plum7quartz', '-e', script];
    const model = scripted([call('read_file'), ({ messages }) => say(`end ${JSON.stringify(messages)}`)]);
    const setup = await serve(files({ allow: ['read_file'] }), {}, model, {
      connect: (_name, _entry, { info, signal }) =>
        connect(stdio({ command: process.execPath, args }), { info, signal }),
    });
    const result = await react(setup);
    expect(said(model.requests[1])).toContain('server \\"files\\": the server exited with code 1');
    expect(JSON.stringify([model.requests, result])).not.toMatch(/plum7quartz|grape3stone|command line/);
    // The operator is told all of it.
    const failed = setup.events.find(event => event.type === 'server' && event.server.state === 'failed');
    expect(JSON.stringify(failed)).toMatch(/plum7quartz.*grape3stone/);
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

import { afterEach, describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import { tool } from '../../tools/tool.ts';
import {
  call,
  closeServed,
  counted,
  files,
  offered,
  react,
  said,
  say,
  serve,
  serverOf,
} from './fixtures/served.ts';

afterEach(closeServed);

describe('arguments that lead elsewhere', () => {
  const opened: unknown[] = [];
  const open = tool({
    name: 'open',
    description: 'Opens',
    input: {
      type: 'object',
      properties: { path: { type: 'string' }, url: { type: 'string' }, mode: { type: 'string' } },
    },
    run: args => {
      opened.push(args);
      return 'opened';
    },
  });

  async function tryOpen(rule: object, args: object): Promise<readonly unknown[]> {
    opened.length = 0;
    const model = scripted([call('open', args), say('done')]);
    const access = { allow: ['open'], rules: { open: rule } };
    const setup = await serve(files(access), { files: serverOf(open) }, model);
    await react(setup);
    return [...opened];
  }

  it.each([
    '/data/../etc/passwd',
    '/etc/passwd',
    '/database/x',
    'notes.txt',
    '/data/%2e%2e/etc',
    '/data/a\u0000b',
    '~/x',
  ])('are not sent when they are paths out of the folder: %j', async path => {
    expect(await tryOpen({ arguments: { path: { within: ['/data'] } } }, { path })).toEqual([]);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'https://example.com.evil.test/',
    'https://example.com@evil.test/',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'HTTP://127.0.0.1:80/',
  ])('are not sent when they are URLs of other hosts: %s', async url => {
    const rule = { arguments: { url: { hosts: ['example.com', '*.example.com'] } } };
    expect(await tryOpen(rule, { url })).toEqual([]);
  });

  it('are sent when they are what the operator allows', async () => {
    const rule = { arguments: { path: { within: ['/data'] }, url: { hosts: ['*.example.com'] } } };
    const args = { path: '/data/notes/today.txt', url: 'https://www.example.com/x' };
    expect(await tryOpen(rule, args)).toEqual([args]);
  });

  it('cannot hide behind another name: a tool without the argument that is judged is left out', async () => {
    const model = scripted([say('x')]);
    const access = {
      allow: ['open', 'look'],
      rules: { open: { arguments: { file: { within: ['/data'] } } } },
    };
    const setup = await serve(files(access), { files: serverOf(open, counted('look')) }, model);
    await react(setup);
    expect(offered(model.requests[0])).toEqual(['look']);
    expect(setup.events).toContainEqual(
      expect.objectContaining({ type: 'drop', tool: 'open', reason: expect.stringContaining('"file"') }),
    );
  });

  it('are held by an earlier rule, whatever a later one says of other arguments', async () => {
    opened.length = 0;
    const model = scripted([call('open', { path: '/etc/passwd', mode: 'r' }), say('done')]);
    const rules = {
      '*': { arguments: { path: { within: ['/data'] } } },
      open: { arguments: { mode: { maxLength: 5 } } },
    };
    const setup = await serve(files({ allow: ['open'], rules }), { files: serverOf(open) }, model);
    await react(setup);
    expect(opened).toEqual([]);
    expect(said(model.requests[1])).toContain('must be an absolute path within /data');
  });

  it('are what the operator pinned, whatever the model writes', async () => {
    expect(await tryOpen({ pin: { path: '/data' } }, { path: '/etc', mode: 'r' })).toEqual([
      { mode: 'r', path: '/data' },
    ]);
  });

  it.each([
    { tools: [{ name: 'x' }] },
    { command: 'rm' },
    { url: 'https://evil.test' },
    { schema: { type: 'object' } },
    { model: 'x' },
  ])('are refused when a caller brings %j along', async extra => {
    const model = scripted([]);
    const config = {
      patterns: {
        ...{ consensus: true, react_loop: true, refine: true, map_reduce: true },
        structured: { schemas: { invoice: { schema: { type: 'object' } } } },
      },
      agents: { helper: { description: 'Helps' } },
    };
    const setup = await serve(config, {}, model);
    const caller = await setup.caller();
    const fitting: Readonly<Record<string, object>> = {
      structured: { schema: 'invoice' },
      map_reduce: { items: ['a'], map: '{item}', reduce: '{results}', prompt: undefined },
    };
    for (const { name } of setup.served.tools) {
      const result = await caller.call(name, { prompt: 'p', ...fitting[name], ...extra });
      expect(result.isError, name).toBe(true);
    }
    expect(model.requests).toEqual([]);
  });
});

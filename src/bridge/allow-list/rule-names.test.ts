import { afterEach, describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import {
  call,
  closeServed,
  counted,
  files,
  react,
  said,
  say,
  serve,
  serverOf,
  surroundings,
} from './fixtures/served.ts';
import { readConfig } from './read-config.ts';

afterEach(closeServed);

async function faultsOf(access: object, tools?: readonly string[]): Promise<string[]> {
  const patterns = { patterns: { react_loop: tools === undefined ? true : { tools } } };
  const read = await readConfig(files(access, patterns), surroundings);
  return read.ok ? [] : read.errors.map(({ path, message }) => `${path}: ${message}`);
}

const deny = { approval: 'deny' };

describe('the name of a rule', () => {
  const named = ['read_file', 'write_file', '!secret_*'];

  it.each<[string, readonly string[], RegExp]>([
    ['files/write_file', named, /^must be the name of a tool alone.*did you mean "write_file"\?/],
    ['files/write_file', ['*'], /^must be the name of a tool alone/],
    ['!write_file', named, /^must not begin with "!"/],
    ['!write_file', ['*'], /^must not begin with "!"/],
    ['write_fil', named, /^means no tool of "allow".*did you mean "write_file"\?/],
    ['Write_File', named, /^means no tool of "allow".*did you mean "write_file"\?/],
    ['delete_*', named, /^means no tool of "allow"/],
    ['write_fil', ['read_*'], /^means no tool of "allow"/],
  ])('must not be %j beside %j', async (key, allow, expected) => {
    const [fault = '', ...more] = await faultsOf({ allow, readOnly: false, rules: { [key]: deny } });
    const [path, message] = fault.split(/: (.*)/s);
    expect(path).toMatch(/^tools\.files\.rules/);
    expect(message).toMatch(expected);
    expect(more).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['write_file', named],
    ['*', named],
    ['write_*', named],
    ['secret_key', named],
    ['secret_*', named],
    ['write_fil', ['write_*']],
    ['delete_*', ['*']],
    ['a/b', ['a/b']],
  ])('may be %j beside %j', async (key, allow) => {
    expect(await faultsOf({ allow, readOnly: false, rules: { [key]: deny } })).toEqual([]);
  });
});

describe('an argument rule', () => {
  it.each([
    'https://example.com',
    'example.com/path',
    'user@example.com',
    'example.com.',
    'bücher.example',
    'exam ple.com',
    '',
  ])('must not name the host %j', async host => {
    const rules = { open: { arguments: { url: { hosts: [host] } } } };
    expect(await faultsOf({ allow: ['open'], rules })).toHaveLength(1);
  });

  it.each(['example.com', '*.example.com', 'EXAMPLE.com:8080', 'localhost:*', '10.0.0.?', '[::1]', '*'])(
    'may name the host %j',
    async host => {
      const rules = { open: { arguments: { url: { hosts: [host] } } } };
      expect(await faultsOf({ allow: ['open'], rules })).toEqual([]);
    },
  );

  it.each(['within', 'hosts', 'values'])('must not leave "%s" empty', async name => {
    const rules = { open: { arguments: { url: { [name]: [] } } } };
    expect(await faultsOf({ allow: ['open'], rules })).toEqual([
      expect.stringContaining(`tools.files.rules.open.arguments.url.${name}: `),
    ]);
  });
});

describe('a list of tools', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['files/raed_*', ['read_file'], /means no tool that is allowed/],
    ['files/raed_file', ['read_file'], /did you mean "files\/read_file"\?/],
    ['!files/raed_file', ['read_file'], /did you mean "files\/read_file"\?/],
    ['fles*/*', ['read_file'], /nothing is allowed of a server of this name/],
    ['builtin/calculater', ['read_file'], /did you mean "builtin\/calculator"\?/],
    ['files/write', ['read_*'], /means no tool that is allowed/],
  ])('must not name %j beside %j', async (pattern, allow, expected) => {
    expect(await faultsOf({ allow }, [pattern])).toEqual([expect.stringMatching(expected)]);
  });

  it.each<[string, readonly string[]]>([
    ['files/read_*', ['read_file']],
    ['*/read_file', ['read_file']],
    ['*/*', ['read_file']],
    ['files/read_f*', ['read_*']],
    ['files/read_file', ['read_*']],
    ['builtin/calc*', ['read_file']],
  ])('may name %j beside %j', async (pattern, allow) => {
    expect(await faultsOf({ allow }, [pattern])).toEqual([]);
  });
});

describe('a rule that means none of the tools that its server has', () => {
  const reasons = (events: readonly { readonly type: string }[]): unknown[] =>
    events.filter(({ type }) => type === 'unmatched').map(event => (event as { reason?: unknown }).reason);

  it('has each call of the others asked about when it is a name, and is told once', async () => {
    const write = counted('write_file');
    const model = scripted([call('write_file'), say('x'), call('write_file'), say('y')]);
    const access = { allow: ['write_*'], rules: { write_fil: deny } };
    const more = { patterns: { react_loop: true }, agents: { helper: { description: 'Helps' } } };
    const setup = await serve(files(access, more), { files: serverOf(write) }, model);
    await react(setup);
    await (await setup.caller()).call('helper', { prompt: 'go' });
    expect(write.runs).toEqual([]);
    expect(said(model.requests[1])).toContain('it needs the approval of a person');
    expect(reasons(setup.events)).toEqual([
      'the rule "write_fil" for the server files means none of its tools; until it means one, each call of the others has to be approved',
    ]);
  });

  it('holds nothing back when it is a pattern, and is told', async () => {
    const write = counted('write_file');
    const model = scripted([call('write_file'), say('x')]);
    const access = { allow: ['write_*'], rules: { 'delete_*': deny } };
    const setup = await serve(files(access), { files: serverOf(write) }, model);
    await react(setup);
    expect(write.runs).toHaveLength(1);
    expect(reasons(setup.events)).toEqual([
      'the rule "delete_*" for the server files means none of its tools, so it holds for nothing',
    ]);
  });

  it('changes nothing for a tool that has a rule of its own, and is not told once its tool is there', async () => {
    const write = counted('write_file');
    const other = counted('write_other');
    const model = scripted([call('write_file'), call('write_other'), say('x')]);
    const rules = { write_fil: deny, write_file: { approval: 'never', maxCalls: 5 }, write_no: deny };
    const setup = await serve(
      files({ allow: ['write_*'], rules }),
      { files: serverOf(write, other, counted('write_no'), counted('write_fil')) },
      model,
    );
    await react(setup);
    expect(write.runs).toHaveLength(1);
    expect(other.runs).toHaveLength(1);
    expect(reasons(setup.events)).toEqual([]);
  });
});

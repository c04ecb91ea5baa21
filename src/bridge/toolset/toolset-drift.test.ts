import { describe, expect, it } from 'vitest';
import { connect } from '../../client/client.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { tool } from '../../tools/tool.ts';
import { hashDefinition } from './definition-hash.ts';
import { type Drift, DriftGuard } from './drift-guard.ts';
import { listen, namesOf, plainTool, runTool, serverOf } from './fixtures/toolset-servers.ts';
import { toolset } from './toolset.ts';
import type { ToolsetOptions } from './toolset-options.ts';

const mail = (description: string, more: Partial<AnyTool> = {}): AnyTool =>
  tool({
    name: 'mail',
    description,
    input: { type: 'object', properties: { to: { type: 'string' } } },
    run: () => 'sent',
    ...(more as object),
  });

/** A server with two tools, a toolset on it, and a way to change the first of them. */
async function setUp(options: ToolsetOptions = {}) {
  const server = serverOf('post', [mail('Sends mail.'), 'other']);
  const client = await connect(server);
  const heard = listen();
  const set = toolset({ post: client }, { onEvent: heard.onEvent, ...options });
  const change = async (changed: AnyTool, ...more: AnyTool[]): Promise<readonly AnyTool[]> => {
    const stale = heard.next('stale');
    server.update({ tools: [changed, plainTool('other', undefined, 'post:other'), ...more] });
    await stale;
    return set.tools();
  };
  const end = async (): Promise<void> => {
    await set.close();
    await client.close();
  };
  return { set, change, end, client, events: heard.events };
}

async function pinsOf(): Promise<Readonly<Record<string, string>>> {
  const { set, end } = await setUp();
  const pins = await set.pins();
  await end();
  return pins;
}

describe('pinned definitions', () => {
  it('are hashes by server and tool that are the same in another process', async () => {
    const pins = await pinsOf();
    expect(Object.keys(pins)).toEqual(['post/mail', 'post/other']);
    expect(pins['post/mail']).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(await pinsOf()).toEqual(pins);
  });

  it('let in what is as it was pinned', async () => {
    const { set, end, events } = await setUp({ pinned: await pinsOf() });
    expect(namesOf(await set.tools())).toEqual(['mail', 'other']);
    expect(events.filter(({ type }) => type === 'drift')).toEqual([]);
    await end();
  });

  it.each([
    ['one character of a description', mail('Sends mail!')],
    [
      'the schema',
      mail('Sends mail.', { input: { type: 'object', properties: { bcc: { type: 'string' } } } }),
    ],
    ['a hint', mail('Sends mail.', { annotations: { readOnlyHint: true } })],
  ])(
    'block a tool alone when %s changes, and let it in again when it is as before',
    async (_what, changed) => {
      const { set, change, end, events } = await setUp({ pinned: await pinsOf() });
      const before = await set.tools();
      expect(namesOf(await change(changed))).toEqual(['other']);
      expect(set.dropped()).toEqual([
        {
          server: 'post',
          tool: 'mail',
          reason: expect.stringMatching(/not the approved one; .* pin its hash sha256-/),
        },
      ]);
      expect(events.filter(({ type }) => type === 'drift')).toMatchObject([
        {
          blocked: true,
          drift: { server: 'post', tool: 'mail', kind: 'changed', before: { description: 'Sends mail.' } },
        },
      ]);
      // Whoever still holds the tool of before does not get through either.
      await expect(runTool(before, 'mail')).rejects.toThrow(
        /"mail" was not run: its definition is not the approved one/,
      );
      expect(namesOf(await change(mail('Sends mail.')))).toEqual(['mail', 'other']);
      await end();
    },
  );

  it('block a tool that has none, and say that it is new', async () => {
    const { 'post/mail': _gone, ...pinned } = await pinsOf();
    const { set, end } = await setUp({ pinned });
    expect(namesOf(await set.tools())).toEqual(['other']);
    expect(set.dropped()[0]?.reason).toMatch(/^it is not among the pinned tools/);
    expect(await set.pins()).toEqual(await pinsOf());
    await end();
  });

  it('of before are told of and no more with "warn", once for each definition', async () => {
    const pinned = { ...(await pinsOf()), 'post/mail': 'sha256-other' };
    const { set, change, end, events } = await setUp({ pinned, onDrift: 'warn' });
    expect(namesOf(await set.tools())).toEqual(['mail', 'other']);
    await set.refresh();
    await change(mail('Sends it.'));
    expect(events.filter(({ type }) => type === 'drift')).toMatchObject([
      { blocked: false },
      { blocked: false },
    ]);
    await end();
  });

  it('can be judged by a function, of which only true lets a tool in', async () => {
    const seen: Drift[] = [];
    const onDrift = async (drift: Drift): Promise<boolean> => {
      seen.push(drift);
      if (drift.now.description === 'broken') throw new Error('nobody there');
      return drift.now.description === 'good' ? true : ('yes' as never);
    };
    const { set, change, end } = await setUp({ pinned: await pinsOf(), onDrift });
    await set.tools();
    expect(namesOf(await change(mail('good')))).toEqual(['mail', 'other']);
    expect(namesOf(await change(mail('odd')))).toEqual(['other']);
    expect(namesOf(await change(mail('broken')))).toEqual(['other']);
    expect(set.dropped()[0]?.reason).toMatch(/"onDrift" failed: nobody there/);
    expect(seen.map(({ now }) => now.description)).toEqual(['good', 'odd', 'broken']);
    expect(seen[1]).toMatchObject({ expected: seen[0]?.found });
    await end();
  });

  it('are judged once, for as long as it takes, whoever leaves meanwhile', async () => {
    let questions = 0;
    let answer: (decision: boolean) => void = () => {};
    let begun: () => void = () => {};
    const wasAsked = new Promise<void>(resolve => {
      begun = resolve;
    });
    const onDrift = (): Promise<boolean> => {
      questions += 1;
      begun();
      return new Promise(resolve => {
        answer = resolve;
      });
    };
    const pinned = { ...(await pinsOf()), 'post/mail': 'sha256-other' };
    const { set, end } = await setUp({ pinned, onDrift });
    const controller = new AbortController();
    const left = set.tools({ signal: controller.signal }).catch((error: unknown) => error);
    await wasAsked;
    controller.abort(new Error('enough'));
    expect(await left).toEqual(new Error('enough'));
    const again = set.tools();
    await new Promise(setImmediate);
    answer(true);
    expect(namesOf(await again)).toEqual(['mail', 'other']);
    expect(questions).toBe(1);
    await end();
  });

  it('do not make the names of others change when they block', async () => {
    const server = serverOf('two', ['mail']);
    const client = await connect(server);
    const one = await connect(serverOf('post', [mail('Sends mail.')]));
    const pinned = {
      'two/mail': await hashDefinition((await client.tools().all())[0] as never),
      'post/mail': 'x',
    };
    const set = toolset({ post: one, two: client }, { pinned });
    expect(namesOf(await set.tools())).toEqual(['two__mail']);
    await set.close();
    await Promise.all([one.close(), client.close()]);
  });
});

it('a tool that changes while somebody is asked about it does not run when they agree', async () => {
  let agree: (decision: boolean) => void = () => {};
  let begun: () => void = () => {};
  const wasAsked = new Promise<void>(resolve => {
    begun = resolve;
  });
  const approve = (): Promise<boolean> => {
    begun();
    return new Promise(resolve => {
      agree = resolve;
    });
  };
  const { set, change, end } = await setUp({ onDrift: 'block', approve });
  const call = runTool(await set.tools(), 'mail').catch((error: unknown) => error);
  await wasAsked;
  await change(mail('Sends mail to everybody.'));
  agree(true);
  expect(await call).toMatchObject({
    name: 'ToolError',
    message: expect.stringMatching(/"mail" was not run: its definition is not the approved one/),
  });
  await end();
});

describe('without pins', () => {
  it('a changed tool is a changed tool', async () => {
    const { set, change, end, events } = await setUp();
    await set.tools();
    expect(namesOf(await change(mail('Sends it.')))).toEqual(['mail', 'other']);
    expect(events.filter(({ type }) => type === 'change')).toEqual([
      { type: 'change', added: [], removed: [], changed: ['mail'] },
    ]);
    await end();
  });

  it('what was seen first counts as approved when drift is to be blocked; new tools are welcome', async () => {
    const { set, change, end } = await setUp({ onDrift: 'block' });
    await set.tools();
    expect(namesOf(await change(mail('Sends it.'), plainTool('new')))).toEqual(['other', 'new']);
    await end();
  });
});

it('a server that gives ever new tools does not make an approved one be forgotten', async () => {
  const guard = new DriftGuard({ pinned: undefined, onDrift: 'block', report: () => {}, most: 3 });
  const judge = (name: string, description: string): Promise<string | undefined> =>
    guard.judge({ server: 'one', name, description, inputSchema: { type: 'object' } });
  expect(await judge('mail', 'as approved')).toBeUndefined();
  for (let index = 0; index < 2; index += 1) expect(await judge(`new_${index}`, '')).toBeUndefined();
  for (let index = 2; index < 9; index += 1)
    expect(await judge(`new_${index}`, '')).toMatch(/more than 3 tools/);
  expect(await judge('mail', 'changed')).toMatch(/not the approved one/);
  expect(await judge('mail', 'as approved')).toBeUndefined();
});

it('a hash does not hang on the order of members, and sees every other difference', async () => {
  const listing = { name: 'a', description: 'b', inputSchema: { type: 'object', properties: {} } } as const;
  const hash = await hashDefinition(listing);
  expect(
    await hashDefinition({ inputSchema: { properties: {}, type: 'object' }, description: 'b', name: 'a' }),
  ).toBe(hash);
  const others = [
    { ...listing, name: 'A' },
    { ...listing, title: '' },
    { ...listing, outputSchema: {} },
    { ...listing, inputSchema: { type: 'object', properties: {}, required: [] } },
  ];
  for (const other of others) expect(await hashDefinition(other as never)).not.toBe(hash);
  expect(await hashDefinition({ ...listing, _meta: { a: 1 }, icons: [] })).toBe(hash);
});

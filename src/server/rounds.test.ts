import { describe, expect, it } from 'vitest';
import { type Introduction, introductions } from '../../test/fixtures/served.ts';
import { connect } from '../client/client.ts';
import type { ClientOptions } from '../client/options.ts';
import { EraMemory, revisions } from '../eras/index.ts';
import type { ToolContext } from '../tools/context.ts';
import { type NeedInput, needInput } from '../tools/need-input.ts';
import { tool } from '../tools/tool.ts';
import { Server } from './server.ts';

const form = {
  message: 'How many?',
  requestedSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
} as const;

const faults: unknown[] = [];
function serverOf(run: (ctx: ToolContext) => unknown): Server {
  const tools = [tool({ name: 'it', description: '', run: (_args, ctx) => run(ctx) as string })];
  return new Server({ name: 's', version: '1', tools, onFault: (_message, cause) => faults.push(cause) });
}

const protocolOf = (how: Introduction) => revisions.at(how === 'stateless' ? -1 : -2) ?? 'auto';
const join = (server: Server, how: Introduction, options: ClientOptions = {}) =>
  connect(server, { protocol: protocolOf(how), eraMemory: new EraMemory(), ...options });
const textOf = (result: { content: readonly unknown[] }): unknown =>
  (result.content[0] as { text?: string }).text;

describe('needInput', () => {
  it.each([{}, { elicit: form, roots: true }, { other: 1 }])('refuses the question %j', question => {
    expect(() => needInput({ k: question as never })).toThrow(
      'needInput: the question "k" must have exactly one of elicit, sample and roots',
    );
  });

  it('refuses a memo that JSON cannot carry', () => {
    expect(() => needInput({}, 1n)).toThrow(TypeError);
    expect(() => needInput({}, () => {})).toThrow(TypeError);
  });
});

describe.each(introductions)('a handler that returns needInput (%s)', how => {
  it('is run again with every answer so far and with its last memo', async () => {
    const seen: unknown[] = [];
    const server = serverOf(({ answers, memo }) => {
      seen.push([
        memo,
        answers.elicit('a')?.content?.['n'],
        answers.roots('b')?.length,
        answers.sample('c')?.model,
      ]);
      if (seen.length === 1)
        return needInput({ a: { elicit: form }, b: { roots: true } }, { step: 1, list: [1] });
      if (seen.length === 2) return needInput({ c: { sample: { messages: [], maxTokens: 1 } } });
      return 'done';
    });
    const client = await join(server, how, {
      onElicit: () => ({ action: 'accept', content: { n: 3 } }),
      onRoots: () => [],
      onSample: () => ({ role: 'assistant', content: { type: 'text', text: 't' }, model: 'm' }),
    });
    expect(textOf(await client.call('it'))).toBe('done');
    expect(seen).toEqual([
      [undefined, undefined, undefined, undefined],
      [{ step: 1, list: [1] }, 3, 0, undefined],
      [undefined, 3, 0, 'm'],
    ]);
  });

  it('may ask the same again, and then has the new answer alone', async () => {
    const seen: unknown[] = [];
    const server = serverOf(({ answers, memo = 0 }) => {
      const { action } = answers.elicit('a') ?? {};
      seen.push(action);
      return action === 'accept' ? 'done' : needInput({ a: { elicit: form } }, (memo as number) + 1);
    });
    let asked = 0;
    const onElicit = () =>
      ++asked < 3 ? ({ action: 'decline' } as const) : ({ action: 'accept', content: { n: 1 } } as const);
    expect(textOf(await (await join(server, how, { onElicit })).call('it'))).toBe('done');
    expect(seen).toEqual([undefined, 'decline', 'decline', 'accept']);
  });

  it('may go on without asking, with a memo alone', async () => {
    const server = serverOf(({ memo }) => (memo === undefined ? needInput({}, 'later') : String(memo)));
    expect(textOf(await (await join(server, how)).call('it'))).toBe('later');
  });

  it('mixes with questions that are awaited and effects that happen once', async () => {
    let effects = 0;
    const server = serverOf(async ({ answers, elicit, once }) => {
      const first = (await elicit('first', form)).content?.['n'];
      const effect = await once('effect', () => ++effects);
      const second = answers.elicit('second')?.content?.['n'];
      return second === undefined ? needInput({ second: { elicit: form } }) : `${first} ${second} ${effect}`;
    });
    let n = 0;
    const onElicit = () => ({ action: 'accept', content: { n: ++n } }) as const;
    expect(textOf(await (await join(server, how, { onElicit })).call('it'))).toBe('1 2 1');
    expect(effects).toBe(1);
  });

  it('asks nothing of a client that lacks what one of its questions needs', async () => {
    const server = serverOf(() => needInput({ a: { roots: true }, b: { elicit: form } }));
    const asked: unknown[] = [];
    const client = await join(server, how, { onRoots: () => [], onDiagnostic: each => asked.push(each) });
    await expect(client.call('it')).rejects.toMatchObject({
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  it.each<[string, NeedInput, string]>([
    [
      'form',
      needInput({
        a: {
          elicit: {
            message: 'm',
            requestedSchema: { type: 'object', properties: { x: { type: 'object' } } },
          },
        },
      }),
      'flat|type "object"',
    ],
    ['page', needInput({ a: { elicit: { mode: 'url', message: 'm', url: 'javascript:1' } } }), 'http'],
  ])('fails when its %s is none, and says so to whoever wrote it', async (_what, returned) => {
    faults.length = 0;
    const client = await join(
      serverOf(() => returned),
      how,
      { onElicit: () => ({ action: 'decline' }) },
    );
    expect(await client.call('it')).toMatchObject({ isError: true });
    expect(String(faults[0])).toContain('the question "a" cannot be asked');
  });

  it('may have asked by the way, without waiting: all goes in one round', async () => {
    const asked: string[] = [];
    const server = serverOf(({ answers, elicit }) => {
      const way = elicit('way', { ...form, message: 'by the way' });
      way.catch(() => {});
      return answers.elicit('a') ? 'done' : needInput({ a: { elicit: form } });
    });
    const onElicit = ({ message }: { readonly message: string }) => {
      asked.push(message);
      return { action: 'accept', content: { n: 1 } } as const;
    };
    expect(textOf(await (await join(server, how, { onElicit })).call('it'))).toBe('done');
    expect(asked.sort()).toEqual(['How many?', 'by the way']);
  });

  it('is stopped when it never has enough', async () => {
    const client = await join(
      serverOf(({ memo = 0 }) => needInput({}, (memo as number) + 1)),
      how,
    );
    const outcome = await client.call('it').then(
      ({ isError }) => isError,
      () => true,
    );
    expect(outcome).toBe(true);
  });
});

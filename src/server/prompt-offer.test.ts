import { describe, expect, expectTypeOf, it } from 'vitest';
import { introductions, served } from '../../test/fixtures/served.ts';
import { image } from '../tools/content.ts';
import { ToolError } from '../tools/tool-error.ts';
import { type Prompt, prompt } from './prompt.ts';
import { resource } from './resource.ts';
import { Server } from './server.ts';

const faults: string[] = [];
const serverOf = (...prompts: readonly Prompt[]): Server =>
  new Server({ name: 's', version: '1', prompts, onFault: message => faults.push(message) });

describe('defining a prompt', () => {
  it.each<[string, object, string]>([
    ['without a name', { description: '', get: () => '' }, 'prompt: name must be'],
    ['without a description', { name: 'n', get: () => '' }, 'prompt "n": description must be'],
    ['without a text', { name: 'n', description: '' }, 'prompt "n": get must be a function'],
  ])('%s is refused', (_what, options, message) => {
    expect(() => prompt(options as never)).toThrow(message);
  });

  it('twice under one name, or with a schema that cannot be used, is refused when it is offered', () => {
    const one = prompt({ name: 'n', description: '', get: () => '' });
    expect(() => serverOf(one, one)).toThrow(
      'prompts: the name "n" is given twice; each prompt needs one of its own',
    );
    const broken = prompt({
      name: 'n',
      description: '',
      arguments: { type: 'string' } as never,
      get: () => '',
    });
    expect(() => serverOf(broken)).toThrow('prompt "n": its arguments cannot be used:');
  });

  it('gives its arguments the types of their list or schema', () => {
    prompt({
      name: 'n',
      description: '',
      arguments: [{ name: 'a', required: true }, { name: 'b' }],
      get(args) {
        expectTypeOf(args.a).toEqualTypeOf<string>();
        expectTypeOf(args.b).toEqualTypeOf<string | undefined>();
        return '';
      },
    });
    resource({
      template: 'x:{a}/{+b}{/c*}{?d,e*}',
      name: 'n',
      read(values) {
        expectTypeOf(values.a).toEqualTypeOf<string>();
        expectTypeOf(values.b).toEqualTypeOf<string>();
        expectTypeOf(values.c).toEqualTypeOf<readonly string[] | undefined>();
        expectTypeOf(values.d).toEqualTypeOf<string | undefined>();
        expectTypeOf(values.e).toEqualTypeOf<readonly string[] | undefined>();
        return '';
      },
    });
  });
});

describe.each(introductions)('prompts (%s)', how => {
  const get = async (given: Prompt, args?: unknown) =>
    await served(serverOf(given), how).ask('prompts/get', { name: given.name, arguments: args });

  it.each<[string, unknown, unknown]>([
    ['a text', 'hi', [{ role: 'user', content: { type: 'text', text: 'hi' } }]],
    [
      'a message',
      { role: 'assistant', content: 'hi' },
      [{ role: 'assistant', content: { type: 'text', text: 'hi' } }],
    ],
    [
      'a block',
      [{ role: 'user', content: image('AA', 'a/b') }, 'and?'],
      [
        { role: 'user', content: { type: 'image', data: 'AA', mimeType: 'a/b' } },
        { role: 'user', content: { type: 'text', text: 'and?' } },
      ],
    ],
  ])('may give back %s', async (_what, returned, messages) => {
    const given = prompt({ name: 'n', description: 'd', get: () => returned as never });
    expect((await get(given)).result).toMatchObject({ messages });
  });

  it('list what a schema says of its properties, and take what fits it', async () => {
    const given = prompt({
      name: 'n',
      description: 'd',
      arguments: {
        type: 'object',
        properties: {
          tea: { type: 'string', description: 'which', enum: ['green'] },
          cups: { type: 'string' },
        },
        required: ['tea'],
      },
      get: ({ tea, cups = '1' }) => `${cups} ${tea}`,
    });
    const list = (await served(serverOf(given), how).ask('prompts/list')).result;
    expect(list).toHaveProperty('prompts', [
      {
        name: 'n',
        description: 'd',
        arguments: [{ name: 'tea', description: 'which', required: true }, { name: 'cups' }],
      },
    ]);
    expect((await get(given, { tea: 'green' })).result).toMatchObject({
      messages: [{ content: { text: '1 green' } }],
    });
    const refused = (await get(given, { tea: 'red' })).error;
    expect(refused).toMatchObject({
      code: -32602,
      message: expect.stringContaining('the prompt n cannot be used'),
    });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['more than it knows', { x: 'y' }],
  ])('without arguments take %s', async (_what, args) => {
    expect((await get(prompt({ name: 'n', description: '', get: () => 'x' }), args)).result).toBeDefined();
  });

  it.each<[unknown, string]>([
    ['text', 'arguments must be an object'],
    [[], 'arguments must be an object'],
    [{ a: 1 }, '"a" must be a string, got 1'],
    [{ a: null }, '"a" must be a string, got null'],
    [{}, '"a", "b" must be given'],
  ])('refuse the arguments %j', async (args, why) => {
    const listed = [
      { name: 'a', required: true },
      { name: 'b', required: true },
    ] as const;
    const { error } = await get(
      prompt({ name: 'n', description: '', arguments: listed, get: () => '' }),
      args,
    );
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(why) });
  });

  it('that fail say what they mean to say, and hide the rest', async () => {
    const failing = (thrown: unknown): Prompt =>
      prompt({
        name: 'n',
        description: '',
        get() {
          throw thrown;
        },
      });
    expect((await get(failing(new ToolError('no such book')))).error).toMatchObject({
      code: -32602,
      message: 'no such book',
    });
    const hidden = (await get(failing(new Error('hunter2222')))).error;
    expect(hidden).toMatchObject({ code: -32603, message: expect.not.stringContaining('hunter') });
    const odd = (await get(prompt({ name: 'n', description: '', get: () => 7 as never }))).error;
    expect(odd).toMatchObject({ code: -32603 });
  });
});

describe.each(introductions)('completion (%s)', how => {
  const given = prompt({
    name: 'n',
    description: '',
    arguments: [{ name: 'tea' }, { name: 'cup' }],
    complete: {
      tea: ['Green', 'grey', 'black'],
      cup: (value, { arguments: others, principal }) => ({
        values: [value, `${others['tea']}`, String(principal)],
        hasMore: true,
      }),
    },
    get: () => '',
  });
  const ask = async (ref: unknown, argument: unknown, context?: unknown) =>
    await served(serverOf(given), how, { principal: 'ann' }).ask('completion/complete', {
      ref,
      argument,
      ...(context ? { context } : {}),
    });
  const ref = { type: 'ref/prompt', name: 'n' };

  it('suggests what begins alike, or what a function says with the other arguments in view', async () => {
    expect((await ask(ref, { name: 'tea', value: 'GR' })).result).toMatchObject({
      completion: { values: ['Green', 'grey'], total: 2, hasMore: false },
    });
    const context = { arguments: { tea: 'black', odd: 7 } };
    expect((await ask(ref, { name: 'cup', value: 'x' }, context)).result).toMatchObject({
      completion: { values: ['x', 'black', 'ann'], hasMore: true },
    });
  });

  it.each<[string, unknown, unknown]>([
    ['a prompt that is not there', { type: 'ref/prompt', name: 'none' }, { name: 'tea', value: '' }],
    ['an argument that is not there', ref, { name: 'none', value: '' }],
    ['an argument of an odd name', ref, { name: 'constructor', value: '' }],
    ['no text', ref, { name: 'tea' }],
    ['no argument', ref, undefined],
    [
      'a template where there are no resources',
      { type: 'ref/resource', uri: 'a:{b}' },
      { name: 'b', value: '' },
    ],
    ['nothing that is known', { type: 'ref/other' }, { name: 'tea', value: '' }],
    ['nothing', undefined, { name: 'tea', value: '' }],
  ])('of %s is refused', async (_what, of, argument) => {
    expect((await ask(of, argument)).error).toMatchObject({ code: -32602 });
  });

  it('is a method only where something completes', async () => {
    const none = served(serverOf(prompt({ name: 'n', description: '', get: () => '' })), how);
    expect((await none.ask('completion/complete', { ref })).error?.code).toBe(-32601);
  });
});

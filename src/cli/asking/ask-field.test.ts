import { describe, expect, it } from 'vitest';
import { askField } from './ask-field.ts';
import type { Dialogue } from './asker.ts';

/** A person who types these lines and then ends the input. */
function typing(...lines: string[]): Dialogue & { readonly said: string[]; readonly asked: string[] } {
  const [said, asked]: [string[], string[]] = [[], []];
  return {
    said,
    asked,
    say: text => void said.push(text),
    async ask(question) {
      asked.push(question);
      return lines.shift();
    },
  };
}

const root = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As on \u001b[31mthe card', minLength: 2 },
    note: { type: 'string' },
    seats: { type: 'integer', minimum: 1, maximum: 8, default: 2 },
    size: { type: 'string', enum: ['small', 'large', '2'], enumNames: ['S', 'L', 'Two'] },
    where: {
      oneOf: [
        { const: 'in', title: 'Indoors' },
        { const: 'out', title: 'Outdoors' },
      ],
    },
    hot: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] }, minItems: 1 },
    lots: { type: 'array', items: { type: 'integer' } },
    deep: { type: 'object', required: ['a'] },
    mail: { type: 'string', format: 'email' },
    day: { type: 'string', format: 'date' },
    page: { type: 'string', format: 'uri' },
  },
  required: ['name', 'size', 'where', 'hot', 'tags', 'lots', 'deep', 'mail', 'day', 'page'],
} as const;

describe('asking for a value by its schema', () => {
  it.each([
    ['name', ['Ann'], 'Ann'],
    ['name', ['', 'A', 'Ann'], 'Ann'],
    ['seats', [''], 2],
    ['seats', ['9', 'x', '3'], 3],
    ['size', ['small'], 'small'],
    ['size', ['1'], 'small'],
    ['size', ['2'], '2'],
    ['size', ['L'], 'large'],
    ['size', ['medium', 'LARGE'], 'large'],
    ['where', ['2'], 'out'],
    ['where', ['indoors'], 'in'],
    ['where', ['in'], 'in'],
    ['hot', ['y'], true],
    ['hot', ['no'], false],
    ['hot', ['1'], true],
    ['hot', ['false'], false],
    ['tags', ['red, 2'], ['red', 'blue']],
    ['tags', ['["red"]'], ['red']],
    ['tags', ['green', '[]', 'blue'], ['blue']],
    ['lots', ['1,2'], [1, 2]],
    ['lots', ['one', '1'], [1]],
    ['deep', ['{', '{"b":1}', '{"a":1}'], { a: 1 }],
    ['mail', ['a.b', 'a@b'], 'a@b'],
    ['day', ['2026-13-01', 'soon', '2026-02-01'], '2026-02-01'],
    ['page', ['here', 'https://a.example/'], 'https://a.example/'],
  ])('asks for %s until what was typed fits: %j', async (name, lines, value) => {
    const dialogue = typing(...lines);
    expect(await askField(dialogue, root, name)).toEqual({ kind: 'value', value });
    expect(dialogue.asked).toHaveLength(lines.length);
  });

  it('lets what is not required be passed over, and knows the end of the input', async () => {
    expect(await askField(typing(''), root, 'note')).toEqual({ kind: 'passed' });
    expect(await askField(typing(), root, 'note')).toEqual({ kind: 'ended' });
    expect(await askField(typing('x'), root, 'name')).toEqual({ kind: 'ended' });
  });

  it('takes an empty text only when it is meant', async () => {
    const open = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const dialogue = typing('', '""');
    expect(await askField(dialogue, open, 'a')).toEqual({ kind: 'value', value: '' });
    expect(dialogue.said.join('\n')).toMatch(/"a" is needed; type "" for an empty text/);
  });

  it('says what the field is, its limits and its choices, and nothing that steers a terminal', async () => {
    const dialogue = typing('Ann');
    await askField(dialogue, root, 'name');
    expect(dialogue.said).toEqual(['name: Your name. As on [31mthe card (string, minLength 2)']);
    const choices = typing('1');
    await askField(choices, root, 'where');
    expect(choices.said.slice(1)).toEqual(['  1) Indoors', '  2) Outdoors']);
    expect(choices.asked).toEqual(['where [1-2]: ']);
    const preset = typing('');
    await askField(preset, root, 'seats');
    expect(preset.asked).toEqual(['seats (Enter: 2): ']);
  });

  it('lists no more choices than can be looked at, and takes the others too', async () => {
    const many = Array.from({ length: 100 }, (_, number) => `choice ${number}`);
    const dialogue = typing('choice 99');
    const open = { type: 'object', properties: { a: { enum: many } } };
    expect(await askField(dialogue, open, 'a')).toEqual({ kind: 'value', value: 'choice 99' });
    expect(dialogue.said).toHaveLength(42);
    expect(dialogue.said.at(-1)).toBe('  … and 60 more');
  });

  it('says why a value does not fit', async () => {
    const dialogue = typing('9', '1');
    await askField(dialogue, root, 'seats');
    expect(dialogue.said.at(-1)).toMatch(/"seats" must be at most 8, got 9/);
  });

  it('takes no default that does not fit, and other texts beside the choices where they may stand', async () => {
    const odd = {
      type: 'object',
      properties: {
        a: { type: 'integer', default: 'many' },
        b: { anyOf: [{ enum: ['x'] }, { type: 'string' }] },
      },
    };
    expect(await askField(typing('', '1'), odd, 'a')).toEqual({ kind: 'value', value: 1 });
    expect(await askField(typing('other'), odd, 'b')).toEqual({ kind: 'value', value: 'other' });
    expect(await askField(typing('1'), odd, 'b')).toEqual({ kind: 'value', value: 'x' });
  });

  it('asks for what a schema says nothing of, and for one that cannot be used', async () => {
    expect(await askField(typing('5'), { type: 'object', required: ['x'] }, 'x')).toEqual({
      kind: 'value',
      value: 5,
    });
    const odd = { type: 'object', properties: { x: { $ref: 'https://elsewhere.example/' } } };
    expect(await askField(typing('a'), odd, 'x')).toEqual({ kind: 'value', value: 'a' });
  });
});

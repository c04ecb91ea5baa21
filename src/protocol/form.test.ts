import { describe, expect, it } from 'vitest';
import { formDefaults, formFault } from './form.ts';

const form = (field: unknown, more: object = {}): object => ({
  type: 'object',
  properties: { field },
  ...more,
});
const titled = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B' },
];

describe('a form', () => {
  it.each<[string, unknown]>([
    [
      'a text',
      {
        type: 'string',
        minLength: 1,
        maxLength: 9,
        format: 'email',
        default: 'a@b',
        description: 'd',
        title: 't',
      },
    ],
    ['a number', { type: 'number', minimum: 0, maximum: 1, default: 0.5 }],
    ['a whole number', { type: 'integer' }],
    ['a yes or no', { type: 'boolean', default: false }],
    ['a choice', { type: 'string', enum: ['a', 'b'], default: 'a' }],
    ['a choice with names beside it', { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] }],
    ['a choice with titles', { type: 'string', oneOf: titled }],
    [
      'several of a choice',
      {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b'] },
        minItems: 1,
        maxItems: 2,
        default: ['a'],
      },
    ],
    ['several of a choice with titles', { type: 'array', items: { anyOf: titled } }],
  ])('may have %s', (_what, field) => {
    expect(formFault(form(field))).toBeUndefined();
    expect(formFault(form(field, { required: ['field'] }))).toBeUndefined();
  });

  it('may be empty, for a mere yes or no', () => {
    expect(formFault({ type: 'object' })).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ['an object in it', { type: 'object', properties: {} }, 'has the type "object"'],
    ['a list of anything', { type: 'array' }, 'a list without items'],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, 'a list of something else'],
    [
      'a list of numbers',
      { type: 'array', items: { type: 'number', enum: [1] } },
      'a list of something else',
    ],
    ['a reference', { type: 'string', $ref: '#/x' }, 'has "$ref"'],
    ['a union', { type: 'number', anyOf: [] }, 'has "anyOf"'],
    ['no type', {}, 'has the type undefined'],
    ['several types', { type: ['string', 'null'] }, 'has the type ["string","null"]'],
    ['a choice of numbers', { type: 'string', enum: [1] }, 'a list of texts for its enum'],
    ['too few names', { type: 'string', enum: ['a', 'b'], enumNames: ['A'] }, 'one of enumNames for each'],
    ['two kinds of choice', { type: 'string', enum: ['a'], oneOf: titled }, 'both enum and oneOf'],
    ['a title without value', { type: 'string', oneOf: [{ title: 'A' }] }, 'a const and a title'],
    ['no schema', 'text', 'is not a schema'],
  ])('with %s is refused, and the field is named', (_what, field, why) => {
    expect(formFault(form(field))).toContain('the field "field" ');
    expect(formFault(form(field))).toContain(why);
  });

  it.each<[unknown, string]>([
    [undefined, 'type "object"'],
    [{ type: 'string' }, 'type "object"'],
    [{ type: 'object', properties: [] }, 'properties must be'],
    [form({ type: 'string' }, { required: ['other'] }), 'required must be'],
    [form({ type: 'string' }, { required: 'field' }), 'required must be'],
  ])('cannot be %j', (schema, why) => {
    expect(formFault(schema)).toContain(why);
  });

  it('begins with the defaults of its fields', () => {
    const properties = {
      a: { type: 'string', default: '' },
      b: { type: 'number', default: 0 },
      c: { type: 'boolean' },
    };
    expect(formDefaults({ type: 'object', properties })).toEqual({ a: '', b: 0 });
    expect(formDefaults(undefined)).toEqual({});
  });
});

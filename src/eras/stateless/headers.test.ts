import { describe, expect, it } from 'vitest';
import { readAnnotations } from './header-annotations.ts';
import {
  compareParameters,
  compareValue,
  decodeHeaderValue,
  encodeHeaderValue,
  nameField,
  parameterHeaders,
} from './headers.ts';

describe('a header value', () => {
  it.each([
    ['plain text', 'us-west1', 'us-west1'],
    ['inner spaces and tabs', 'a b\tc', 'a b\tc'],
    ['nothing', '', ''],
    ['an integer', 42, '42'],
    ['a negative integer', -7, '-7'],
    ['a truth', true, 'true'],
    ['umlauts', 'Zürich', '=?base64?WsO8cmljaA==?='],
    ['a leading space', ' a', '=?base64?IGE=?='],
    ['a trailing tab', 'a\t', '=?base64?YQk=?='],
    ['a line break', 'a\nb', '=?base64?YQpi?='],
    ['a delete character', '\x7f', '=?base64?fw==?='],
    ['what looks like the marks', '=?base64?SGVsbG8=?=', '=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?='],
    ['half of the marks', '=?base64?abc', '=?base64?abc'],
    ['a face outside the first plane', '😀', '=?base64?8J+YgA==?='],
  ])('of %s is written and read back', (_what, value, text) => {
    expect(encodeHeaderValue(value)).toBe(text);
    expect(decodeHeaderValue(text)).toEqual({ ok: true, value: String(value) });
  });

  it.each([
    ['padding that is missing', '=?base64?SGVsbG8?='],
    ['signs that are no base64', '=?base64?SGVs!!!bG8=?='],
    ['the other alphabet', '=?base64?_-8=?='],
    ['a space inside', '=?base64?SGVs bG8=?='],
    ['bytes that are not UTF-8', '=?base64?/w==?='],
    ['bits behind its end', '=?base64?YR==?='],
    ['padding in the middle', '=?base64?YQ==YQ==?='],
  ])('in base64 with %s is refused', (_what, text) => {
    expect(decodeHeaderValue(text)).toEqual({ ok: false });
  });

  it.each([
    ['spaces around it', '  Hello\t', 'Hello'],
    ['spaces around the marks', ' =?base64?SGVsbG8=?= ', 'Hello'],
    ['marks in upper case, which are none', '=?BASE64?SGVsbG8=?=', '=?BASE64?SGVsbG8=?='],
    ['no end mark', '=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['marks that overlap', '=?base64?=', '=?base64?='],
    ['marks with nothing between', '=?base64??=', ''],
  ])('is read with %s', (_what, text, value) => {
    expect(decodeHeaderValue(text)).toEqual({ ok: true, value });
  });

  it.each<[string, unknown, string | undefined, boolean]>([
    ['the same text', 'a', 'a', true],
    ['text of another case', 'a', 'A', false],
    ['a number written otherwise', 42, '042', true],
    ['a number with a zero fraction', 42, '42.0', true],
    ['a number in hexadecimal', 42, '0x2a', false],
    ['another number', 42, '43', false],
    ['no text for a number', 0, '', false],
    ['a truth', true, 'true', true],
    ['a truth in capitals', true, 'TRUE', false],
    ['an empty text and an empty header', '', '', true],
    ['an empty text and no header', '', undefined, false],
    ['neither value nor header', undefined, undefined, true],
    ['null and no header', null, undefined, true],
    ['null and a header', null, 'a', false],
    ['a header alone', undefined, 'a', false],
    ['an object without header', {}, undefined, true],
  ])('compares %s', (_what, value, header, same) => {
    expect(compareValue(value, header) === undefined).toBe(same);
  });
});

const text = (header: unknown): object => ({ type: 'string', 'x-mcp-header': header });

describe('annotations of a schema', () => {
  it('are found along properties, with the path to their value', () => {
    const schema = {
      type: 'object',
      properties: {
        region: text('Region'),
        where: { type: 'object', properties: { port: { type: 'integer', 'x-mcp-header': 'Port' } } },
        'x-mcp-header': { type: 'string' },
        plain: { type: 'string', default: { 'x-mcp-header': 'no schema' } },
      },
    };
    expect(readAnnotations(schema)).toEqual({
      ok: true,
      headers: [
        { header: 'Region', path: ['region'], type: 'string' },
        { header: 'Port', path: ['where', 'port'], type: 'integer' },
      ],
    });
  });

  it.each<[string, object]>([
    ['an empty name', { properties: { a: text('') } }],
    ['a name with a space', { properties: { a: text('My Region') } }],
    ['a name with a colon', { properties: { a: text('Region:') } }],
    ['a name that is not ASCII', { properties: { a: text('Région') } }],
    ['a control character', { properties: { a: text('Re\u0001gion') } }],
    ['a name that is no text', { properties: { a: text(1) } }],
    ['two equal names', { properties: { a: text('Region'), b: text('Region') } }],
    ['two names that differ in case', { properties: { a: text('Region'), b: text('REGION') } }],
    ['a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['an object', { properties: { a: { type: 'object', 'x-mcp-header': 'A' } } }],
    ['an array', { properties: { a: { type: 'array', 'x-mcp-header': 'A' } } }],
    ['null', { properties: { a: { type: 'null', 'x-mcp-header': 'A' } } }],
    ['no type', { properties: { a: { 'x-mcp-header': 'A' } } }],
    ['the items of an array', { properties: { a: { type: 'array', items: text('A') } } }],
    ['one of several alternatives', { anyOf: [{ properties: { a: text('A') } }] }],
    ['a definition', { $defs: { a: text('A') }, properties: { a: { $ref: '#/$defs/a' } } }],
    ['a negation', { not: { properties: { a: text('A') } } }],
    ['the root', { type: 'object', 'x-mcp-header': 'A' }],
  ])('are refused with a reason for %s', (_what, schema) => {
    const read = readAnnotations(schema);
    expect(read.ok).toBe(false);
    expect(parameterHeaders(schema, { a: 'x' })).toEqual({});
  });

  it('are none for what is no object, and end on a schema that contains itself', () => {
    expect(readAnnotations(true)).toEqual({ ok: true, headers: [] });
    const circle: Record<string, unknown> = {};
    circle['properties'] = { a: circle, b: circle };
    expect(readAnnotations(circle)).toEqual({ ok: false, reason: expect.stringContaining('more than') });
  });
});

describe('the headers of a tool call', () => {
  const schema = {
    type: 'object',
    properties: {
      region: text('Region'),
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      in: { type: 'object', properties: { city: text('City') } },
    },
  };
  const args = { region: '', count: 3, dry: false, in: { city: 'Zürich' }, other: 1 };

  it('mirror what is there', () => {
    expect(parameterHeaders(schema, args)).toEqual({
      'Mcp-Param-Region': '',
      'Mcp-Param-Count': '3',
      'Mcp-Param-Dry': 'false',
      'Mcp-Param-City': '=?base64?WsO8cmljaA==?=',
    });
  });

  it('leave out what is absent, null or no plain value', () => {
    expect(parameterHeaders(schema, { region: null, count: [3] })).toEqual({});
    expect(parameterHeaders(schema, undefined)).toEqual({});
    expect(parameterHeaders(schema, Object.create({ region: 'inherited' }))).toEqual({});
  });

  it('fit their own arguments and no others', () => {
    const headers = new Map(
      Object.entries(parameterHeaders(schema, args)).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const read = (name: string): string | undefined => headers.get(name);
    expect(compareParameters(schema, args, read)).toBeUndefined();
    expect(compareParameters(schema, { ...args, count: 4 }, read)).toBe(
      'Mcp-Param-Count is not what the body says (arguments.count)',
    );
    expect(compareParameters(schema, { ...args, in: {} }, read)).toContain('Mcp-Param-City is present');
    expect(compareParameters(schema, args, () => undefined)).toContain('Mcp-Param-Region is missing');
  });

  it('name the parameter that Mcp-Name mirrors', () => {
    const named = ['tools/call', 'prompts/get', 'resources/read'].map(method => nameField(method));
    expect(named).toEqual(['name', 'name', 'uri']);
    expect([nameField('tools/list'), nameField('toString')]).toEqual([undefined, undefined]);
    const more = { 'tickets/redeem': 'ticket' };
    expect(nameField('tickets/redeem')).toBeUndefined();
    expect(nameField('tickets/redeem', more)).toBe('ticket');
    expect(nameField('tools/call', { 'tools/call': 'other' })).toBe('name');
  });
});

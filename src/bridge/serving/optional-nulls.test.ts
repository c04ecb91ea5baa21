import { expect, it } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { explain } from '../../schema/explain.ts';
import { withOptionalNulls } from './optional-nulls.ts';

const plain = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
} as const;
const schema = compileSchema(withOptionalNulls(plain));

it('is shown as the plain schema', () => {
  expect(schema.json).toEqual(plain);
});
it('takes a null for an absent optional property', async () => {
  expect(await schema.validate({ name: 'x', age: null })).toEqual({ ok: true, value: { name: 'x' } });
});
it('leaves what it is given as it is', async () => {
  const given = Object.freeze({ name: 'x', age: null });
  await schema.validate(given);
  expect(given).toEqual({ name: 'x', age: null });
});
it.each([null, [null], 'text', 7])('refuses %j, which is no object', async value => {
  expect(await schema.validate(value)).toMatchObject({ ok: false });
});
it.each([
  [{ name: null }, /"name" .*must be a string/],
  [{ name: 'x', age: -1 }, /"age" .*must be at least 0/],
  [{ name: 'x', aeg: 1 }, /"aeg" is not allowed here, did you mean "age"\?/],
  [{ name: 'x', aeg: null }, /"aeg" is not allowed here, did you mean "age"\?/],
  [{}, /"name" is required/],
])('says what is wrong with %j', async (value, reason) => {
  const verdict = await schema.validate(value);
  if (verdict.ok) throw new Error('it was accepted');
  expect(await explain(verdict.issues, { schema: schema.json, value })).toMatch(reason);
});

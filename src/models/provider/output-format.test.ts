import { expect, it } from 'vitest';
import { outputFormat } from './output-format.ts';

it.each([
  ['answer', 'answer'],
  ['my out/put! é', 'my_out_put_'],
  ['x'.repeat(80), 'x'.repeat(64)],
  ['', 'output'],
])('the name %j is sent as %j', (name, sent) => {
  expect(outputFormat({ name, schema: { type: 'object' } })?.name).toBe(sent);
});

import type { ResponseCreateParams, ResponseInputItem } from 'openai/resources/responses/responses';
import { expectTypeOf, it } from 'vitest';
import type { InputItem, ResponsesBody } from './wire.ts';

type Theirs = Pick<ResponseCreateParams, keyof ResponsesBody & keyof ResponseCreateParams>;

it('what we send is what the vendor declares', () => {
  expectTypeOf<InputItem>().toExtend<ResponseInputItem>();
  expectTypeOf<keyof ResponsesBody>().toExtend<keyof ResponseCreateParams>();
  expectTypeOf<Omit<ResponsesBody, 'input'>>().toExtend<Omit<Theirs, 'input'>>();
});

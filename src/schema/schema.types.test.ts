// Budget: 200 tools of five properties, written in one file, cost 116,000 instantiations and 0.1 s of tsc 7 (about 570 a
// tool; with zod schemas about 550). A change here that doubles it is a regression.
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { FromJsonSchema, InferInput, InferOutput, JsonSchemaObject } from './schema.ts';

describe('FromJsonSchema reads', () => {
  it('scalars, lists of types, choices and constants', () => {
    expectTypeOf<FromJsonSchema<{ readonly type: 'integer' }>>().toEqualTypeOf<number>();
    expectTypeOf<FromJsonSchema<{ readonly type: readonly ['string', 'null'] }>>().toEqualTypeOf<
      string | null
    >();
    expectTypeOf<FromJsonSchema<{ readonly enum: readonly ['a', 1] }>>().toEqualTypeOf<'a' | 1>();
    expectTypeOf<FromJsonSchema<{ readonly const: 'a' }>>().toEqualTypeOf<'a'>();
  });

  it('objects, open and closed, and arrays', () => {
    type Closed = FromJsonSchema<{
      readonly type: 'object';
      readonly properties: {
        readonly a: { readonly type: 'string' };
        readonly b: { readonly type: 'array'; readonly items: { readonly type: 'number' } };
      };
      readonly required: readonly ['a'];
      readonly additionalProperties: false;
    }>;
    expectTypeOf<Closed>().toEqualTypeOf<{ a: string; b?: number[] }>();
    expectTypeOf<FromJsonSchema<{ readonly type: 'object' }>>().toEqualTypeOf<{ [key: string]: unknown }>();
    expectTypeOf<FromJsonSchema<{ readonly type: 'array' }>>().toEqualTypeOf<unknown[]>();
  });

  it('alternatives as unions', () => {
    type Branches = readonly [{ readonly type: 'string' }, { readonly type: 'null' }];
    expectTypeOf<FromJsonSchema<{ readonly anyOf: Branches }>>().toEqualTypeOf<string | null>();
    expectTypeOf<FromJsonSchema<{ readonly oneOf: Branches }>>().toEqualTypeOf<string | null>();
  });

  it('what it cannot tell as unknown', () => {
    expectTypeOf<FromJsonSchema<JsonSchemaObject>>().toEqualTypeOf<unknown>();
    expectTypeOf<FromJsonSchema<{ readonly $ref: '#/$defs/a' }>>().toEqualTypeOf<unknown>();
  });
});

describe('a library schema', () => {
  it('has two sides', () => {
    const schema = z.object({ n: z.string().transform(Number), d: z.string().default('x') });
    expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<{ n: string; d?: string | undefined }>();
    expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<{ n: number; d: string }>();
  });
});

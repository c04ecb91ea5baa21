import type {
  Content,
  GenerateContentConfig,
  GenerateContentParameters,
  GenerateContentResponseUsageMetadata,
  Part,
  Schema,
} from '@google/genai';
import { describe, expectTypeOf, it } from 'vitest';
import { usageMetadata } from './fixtures/replies.ts';
import type {
  BlobPart,
  CallingConfig,
  CallPart,
  Declaration,
  GeminiBody,
  GenerationConfig,
  ReplayedPart,
  RequestContent,
  ResponsePart,
  TextPart,
} from './request.ts';

/** The vendor's types are mutable, and have enums where JSON has words; neither is a difference on the wire. */
type OnWire<Type> = Type extends string
  ? `${Type}`
  : Type extends readonly (infer Item)[]
    ? readonly OnWire<Item>[]
    : Type extends object
      ? { readonly [Key in keyof Type]: OnWire<Type[Key]> }
      : Type;

type Their<Key extends keyof GenerateContentConfig> = NonNullable<GenerateContentConfig[Key]>;
type TheirTool = Extract<Their<'tools'>[number], { functionDeclarations?: unknown }>;
type TheirDeclaration = NonNullable<TheirTool['functionDeclarations']>[number];
type TheirCalling = NonNullable<Their<'toolConfig'>['functionCallingConfig']>;

it('the usage that our tests play is what the vendor declares', () => {
  type Theirs = OnWire<GenerateContentResponseUsageMetadata>;
  expectTypeOf(usageMetadata).toExtend<Theirs>();
  expectTypeOf<keyof typeof usageMetadata>().toExtend<keyof Theirs>();
});

describe('what we send is what the vendor declares:', () => {
  it('each kind of part', () => {
    expectTypeOf<TextPart>().toExtend<OnWire<Part>>();
    expectTypeOf<BlobPart>().toExtend<OnWire<Part>>();
    expectTypeOf<CallPart>().toExtend<OnWire<Part>>();
    expectTypeOf<ResponsePart>().toExtend<OnWire<Part>>();
    expectTypeOf<ReplayedPart>().toExtend<OnWire<Part>>();
    expectTypeOf<{ functionCall: { title: string } }>().not.toExtend<OnWire<Part>>();
  });

  it('contents and the instruction of the system', () => {
    expectTypeOf<RequestContent>().toExtend<OnWire<Content>>();
    expectTypeOf<GeminiBody['contents']>().toExtend<OnWire<GenerateContentParameters['contents']>>();
    expectTypeOf<NonNullable<GeminiBody['systemInstruction']>>().toExtend<OnWire<Content>>();
  });

  it('tools and how they are to be called', () => {
    expectTypeOf<keyof Declaration>().toExtend<keyof TheirDeclaration>();
    expectTypeOf<Omit<Declaration, 'parameters'>>().toExtend<OnWire<TheirDeclaration>>();
    expectTypeOf<keyof CallingConfig>().toExtend<keyof TheirCalling>();
    expectTypeOf<CallingConfig>().toExtend<OnWire<TheirCalling>>();
    expectTypeOf<NonNullable<GeminiBody['tools']>[number]>().toExtend<{
      readonly functionDeclarations: readonly Declaration[];
    }>();
    expectTypeOf<keyof NonNullable<GeminiBody['tools']>[number]>().toExtend<keyof TheirTool>();
  });

  it('settings, members of the body included', () => {
    expectTypeOf<keyof GenerationConfig>().toExtend<keyof GenerateContentConfig>();
    expectTypeOf<Omit<GenerationConfig, 'responseSchema'>>().toExtend<OnWire<GenerateContentConfig>>();
    expectTypeOf<Exclude<keyof GeminiBody, 'contents' | 'generationConfig'>>().toExtend<
      keyof GenerateContentConfig
    >();
  });

  it('schemas, whose counts are numbers as well as texts on the wire', () => {
    type Counts = 'minItems' | 'maxItems' | 'minLength' | 'maxLength' | 'minProperties' | 'maxProperties';
    const schema = {
      type: 'OBJECT',
      description: 'd',
      properties: { a: { type: 'STRING', enum: ['x'], nullable: true }, b: { type: 'ARRAY', items: {} } },
      required: ['a'],
    } as const;
    expectTypeOf<typeof schema>().toExtend<OnWire<Omit<Schema, Counts>>>();
  });
});

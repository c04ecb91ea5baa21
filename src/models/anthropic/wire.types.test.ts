import type {
  AssistantMessageParam,
  Base64ImageSource,
  ContentBlockParam,
  JSONOutputFormat,
  MessageCreateParams,
  RawContentBlockDelta,
  StopReason,
  ThinkingConfigParam,
  Tool,
  ToolChoice,
  ToolResultBlockParam,
  UserMessageParam,
} from '@anthropic-ai/sdk/resources/messages';
import { describe, expectTypeOf, it } from 'vitest';
import type { deltas } from './growing-block.ts';
import type {
  AssistantTurn,
  Choice,
  ImageType,
  MediaBlock,
  MessagesBody,
  OutputConfig,
  ThinkingSetting,
  ToolDeclaration,
  ToolResultBlock,
  UserTurn,
} from './request.ts';
import type { finishReasons } from './stream.ts';

/** Theirs can be written to; that is the one difference that does not count. */
type Writable<T> = T extends object ? { -readonly [Key in keyof T]: Writable<T[Key]> } : T;

describe('what we send is what the vendor declares', () => {
  it('as a whole, but for the temperature that newer models no longer take', () => {
    expectTypeOf<Writable<Omit<MessagesBody, 'temperature' | 'stream'>>>().toExtend<MessageCreateParams>();
    expectTypeOf<Exclude<keyof MessagesBody, 'temperature'>>().toExtend<keyof MessageCreateParams>();
  });
  it('and part by part', () => {
    expectTypeOf<Writable<UserTurn>>().toExtend<UserMessageParam>();
    expectTypeOf<Writable<AssistantTurn>>().toExtend<AssistantMessageParam>();
    expectTypeOf<Writable<MediaBlock>>().toExtend<ContentBlockParam>();
    expectTypeOf<Writable<ToolResultBlock>>().toExtend<ToolResultBlockParam>();
    expectTypeOf<Writable<ToolDeclaration>>().toExtend<Tool>();
    expectTypeOf<Writable<ThinkingSetting>>().toExtend<ThinkingConfigParam>();
    expectTypeOf<Writable<OutputConfig['format']>>().toEqualTypeOf<JSONOutputFormat>();
  });
  it('and says all that there is to say where we name every case', () => {
    expectTypeOf<ImageType>().toEqualTypeOf<Base64ImageSource['media_type']>();
    expectTypeOf<Choice['type']>().toEqualTypeOf<ToolChoice['type']>();
    expectTypeOf<Exclude<ThinkingConfigParam['type'], 'between_tools'>>().toEqualTypeOf<
      ThinkingSetting['type']
    >();
  });
});

describe('what we read is all that the vendor declares', () => {
  it('reasons to stop', () => {
    expectTypeOf<keyof typeof finishReasons>().toEqualTypeOf<StopReason>();
  });
  it('pieces of blocks, but for citations', () => {
    expectTypeOf<keyof typeof deltas>().toEqualTypeOf<
      Exclude<RawContentBlockDelta['type'], 'citations_delta'>
    >();
  });
});

import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { expectTypeOf, it } from 'vitest';
import type { ChatTool } from '../../projection/openai-tools.ts';
import type { ChatBody, ChatMessage } from './wire.ts';

it('what we send is what the vendor declares', () => {
  expectTypeOf<ChatMessage>().toExtend<ChatCompletionMessageParam>();
  expectTypeOf<ChatTool>().toExtend<ChatCompletionTool>();
  expectTypeOf<keyof ChatBody>().toExtend<keyof ChatCompletionCreateParams>();
  expectTypeOf<ChatBody>().toExtend<Pick<ChatCompletionCreateParams, keyof ChatBody>>();
});

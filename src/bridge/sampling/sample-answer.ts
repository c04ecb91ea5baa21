/** A model's response as the answer to a server's sampling question. */
import { isObject, parseJson } from '../../basics/json.ts';
import { noAnswer } from '../../client/question-refusal.ts';
import type { ModelResponse } from '../../models/collect.ts';
import type { FinishReason, ToolCall } from '../../models/model.ts';
import type { SampleAnswer, SampleContent } from '../../tools/question.ts';

/** Throws the `ProtocolError` to answer with when the response says nothing that can be sent. */
export function toSampleAnswer(
  { text, toolCalls, finish }: ModelResponse,
  model: string,
  stopSequences: readonly string[] = [],
): SampleAnswer {
  const stop = toolCalls.length > 0 ? undefined : firstStop(text, stopSequences);
  const said = stop === undefined ? text : text.slice(0, stop);
  if (finish === 'refusal') throw noAnswer(`the model declined to answer${said === '' ? '' : `: ${said}`}`);
  const words: readonly SampleContent[] = said === '' ? [] : [{ type: 'text', text: said }];
  const stopReason = stop === undefined ? reasons[finish] : 'stopSequence';
  return {
    role: 'assistant',
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
    // A list only where there has to be one: older servers know a single block.
    content:
      toolCalls.length > 0 ? [...words, ...toolCalls.map(toUse)] : (words[0] ?? { type: 'text', text: '' }),
  };
}

const reasons: Readonly<Partial<Record<FinishReason, string>>> = {
  stop: 'endTurn',
  'tool-calls': 'toolUse',
  length: 'maxTokens',
};

/** Where the first of the sequences begins; models here are not told of them. */
function firstStop(text: string, sequences: readonly string[]): number | undefined {
  const found = sequences
    .filter(sequence => typeof sequence === 'string' && sequence !== '')
    .map(sequence => text.indexOf(sequence))
    .filter(at => at !== -1);
  return found.length === 0 ? undefined : Math.min(...found);
}

function toUse({ id, name, arguments: raw }: ToolCall): SampleContent {
  const parsed = parseJson(raw.trim() === '' ? '{}' : raw);
  if (!parsed.ok || !isObject(parsed.value)) {
    throw noAnswer(`the model called the tool "${name}" with arguments that are not a JSON object`);
  }
  return { type: 'tool_use', id, name, input: parsed.value };
}

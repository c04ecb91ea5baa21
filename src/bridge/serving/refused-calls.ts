/** Which tool calls of a conversation were not run, and what the model was told of it; read from the transcript. */
import { shorten } from '../../basics/shorten.ts';
import type { ModelMessage } from '../../models/model.ts';

export interface RefusedCall {
  readonly tool: string;
  readonly reason: string;
}

const most = 20;
const longest = 300;

/** How the words of a refusal begin. */
const refusal = /^(?:There is no tool named |Tool "[^"]*" was not run: |Not run: )/;

/** The first of them. A tool that ran and failed with the words of a refusal would stand here too. */
export function refusedCalls(messages: readonly ModelMessage[]): readonly RefusedCall[] {
  const found: RefusedCall[] = [];
  for (const message of messages) {
    if (message.role !== 'tool' || message.isError !== true || found.length === most) continue;
    const { content, toolName } = message;
    const first = typeof content === 'string' ? content : content.find(block => block.type === 'text');
    const said = typeof first === 'string' ? first : ((first as { text?: unknown } | undefined)?.text ?? '');
    if (typeof said !== 'string' || !refusal.test(said)) continue;
    found.push({ tool: shorten(toolName, 128), reason: shorten(said, longest) });
  }
  return found;
}

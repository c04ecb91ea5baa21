/** How many tokens a request is likely to need as input; a guess from its length, meant to be a little high. */
import type { ModelMessage, ModelRequest } from '../../models/model.ts';

const perMessage = 4;
/** What providers charge for a picture of usual size. */
const perMedia = 1000;

/** Tokens of the messages, tools and output schema of a request. */
export function estimateInput(request: ModelRequest): number {
  let tokens = 0;
  for (const message of request.messages) tokens += perMessage + estimateMessage(message);
  for (const tool of request.tools ?? []) {
    tokens += perMessage + estimateText(tool.name + tool.description + JSON.stringify(tool.parameters));
  }
  if (request.output !== undefined) tokens += estimateText(JSON.stringify(request.output.schema));
  return Math.ceil(tokens);
}

function estimateMessage(message: ModelMessage): number {
  let tokens = 0;
  if (typeof message.content === 'string') tokens += estimateText(message.content);
  else {
    for (const block of message.content) {
      const isMedia = block.type === 'image' || block.type === 'audio';
      tokens += isMedia ? perMedia : estimateText(JSON.stringify(block));
    }
  }
  if (message.role === 'assistant') {
    for (const call of message.toolCalls ?? [])
      tokens += perMessage + estimateText(call.name + call.arguments);
  }
  return tokens;
}

/** About a token for three characters of a script with an alphabet, and one for each character of others. */
function estimateText(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) tokens += text.charCodeAt(at) < 0x2e80 ? 1 / 3 : 1;
  return tokens;
}

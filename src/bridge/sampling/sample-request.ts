/** A server's sampling question as a request to a model; what no model could be asked is refused with its place. */
import { isObject, printJson } from '../../basics/json.ts';
import { sketch } from '../../basics/sketch.ts';
import { unusableQuestion } from '../../client/question-refusal.ts';
import type { ModelMessage, ModelRequest, ToolCall, ToolChoice, ToolSpec } from '../../models/model.ts';
import { type Content, isContent } from '../../tools/content.ts';
import type { SampleMessage, SampleQuestion } from '../../tools/question.ts';

/** Throws the `ProtocolError` to answer with. `maxTokens` is already what may be spent. */
export function toModelRequest(question: SampleQuestion, maxTokens: number): ModelRequest {
  const { messages, systemPrompt, temperature, tools, toolChoice } = question;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw unusableQuestion('messages must be a list with at least one message');
  }
  const names = new Map<string, string>();
  const said = messages.flatMap((message, index) => toMessages(message, `messages[${index}]`, names));
  const choice = toolChoice && readChoice(toolChoice);
  return {
    messages: systemPrompt ? [{ role: 'system', content: String(systemPrompt) }, ...said] : said,
    maxTokens,
    ...(typeof temperature === 'number' && Number.isFinite(temperature) ? { temperature } : {}),
    ...(tools === undefined ? {} : { tools: readTools(tools) }),
    ...(choice === undefined ? {} : { toolChoice: choice }),
  };
}

type Block = Readonly<Record<string, unknown>>;

function toMessages(
  message: SampleMessage,
  where: string,
  names: Map<string, string>,
): readonly ModelMessage[] {
  if (!isObject(message)) throw unusableQuestion(`${where} must be a message, got ${sketch(message)}`);
  const { role, content } = message as unknown as Block;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  for (const block of blocks) {
    if (!isObject(block)) throw unusableQuestion(`${where} has content that is ${sketch(block)}`);
  }
  if (role === 'assistant') return [toAssistant(blocks as readonly Block[], where, names)];
  if (role === 'user') return toUser(blocks as readonly Block[], where, names);
  throw unusableQuestion(`${where}.role must be "user" or "assistant", got ${sketch(role)}`);
}

function toAssistant(blocks: readonly Block[], where: string, names: Map<string, string>): ModelMessage {
  const words: string[] = [];
  const toolCalls: ToolCall[] = [];
  for (const { type, text, id, name, input } of blocks) {
    if (type === 'text') words.push(String(text));
    else if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string') {
      names.set(id, name);
      toolCalls.push({ id, name, arguments: printJson(input ?? {}) });
    } else
      throw unusableQuestion(`${where} has content of type ${sketch(type)}, which an assistant cannot say`);
  }
  const said = { role: 'assistant', content: words.join('\n') } as const;
  return toolCalls.length === 0 ? said : { ...said, toolCalls };
}

/** Results of tools are messages of their own, before what else is said. */
function toUser(
  blocks: readonly Block[],
  where: string,
  names: ReadonlyMap<string, string>,
): readonly ModelMessage[] {
  const results: ModelMessage[] = [];
  const said: Content[] = [];
  for (const block of blocks) {
    if (block['type'] === 'tool_result') results.push(toResult(block, where, names));
    else if (isContent(block) && ['text', 'image', 'audio'].includes(block.type)) said.push(block);
    else
      throw unusableQuestion(`${where} has content of type ${sketch(block['type'])}, which cannot be shown`);
  }
  if (said.length === 0) return results;
  const [only] = said;
  const content = said.length === 1 && only?.type === 'text' ? only.text : said;
  return [...results, { role: 'user', content }];
}

function toResult(block: Block, where: string, names: ReadonlyMap<string, string>): ModelMessage {
  const { toolUseId, content, structuredContent, isError } = block;
  const toolName = names.get(String(toolUseId));
  if (typeof toolUseId !== 'string' || toolName === undefined) {
    throw unusableQuestion(`${where} has the result of a call that was not made: ${sketch(toolUseId)}`);
  }
  const blocks = Array.isArray(content) ? content.filter(isContent) : [];
  const shown: readonly Content[] =
    blocks.length === 0 && structuredContent !== undefined
      ? [{ type: 'text', text: printJson(structuredContent) }]
      : blocks;
  const result = { role: 'tool', toolCallId: toolUseId, toolName, content: shown } as const;
  return isError === true ? { ...result, isError: true } : result;
}

function readTools(tools: unknown): readonly ToolSpec[] {
  if (!Array.isArray(tools)) throw unusableQuestion('tools must be a list');
  return tools.map((tool: unknown, index) => {
    const { name, description, inputSchema } = isObject(tool) ? tool : {};
    if (typeof name !== 'string' || !isObject(inputSchema)) {
      throw unusableQuestion(`tools[${index}] must have a name and an inputSchema`);
    }
    return { name, description: typeof description === 'string' ? description : '', parameters: inputSchema };
  });
}

function readChoice({ mode }: Block): ToolChoice | undefined {
  if (mode === undefined || mode === 'auto') return undefined;
  if (mode === 'none' || mode === 'required') return mode;
  throw unusableQuestion(`toolChoice.mode must be "auto", "required" or "none", got ${sketch(mode)}`);
}

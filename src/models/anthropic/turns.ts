/** A conversation as turns that the API accepts: users and models in turn, each call answered in the next one; pure. */
import type { Projection } from '../../projection/projection.ts';
import type { AssistantMessage, ModelMessage, ToolMessage, UserMessage } from '../model.ts';
import { readArguments } from '../provider/call-arguments.ts';
import { textBlocks, toBlocks, toToolResult } from './content.ts';
import { fromReplay } from './replay.ts';
import type { AssistantBlock, ToolResultBlock, ToolUseBlock, Turn, UserBlock } from './request.ts';

/** What a user says where the API wants one to speak and nobody did. */
const prompt = 'Go on.';
const noResult = '[There is no result of this call.]';

/** A call that waits for its result. */
interface OpenCall {
  /** As the conversation has it. */
  readonly given: string;
  readonly sent: string;
  result?: ToolResultBlock;
}

/** System messages are not part of them. */
export function toTurns(messages: readonly ModelMessage[], projection: Projection): readonly Turn[] {
  const writer = new TurnWriter(projection);
  for (const message of messages) {
    if (message.role === 'assistant') writer.addAssistant(message);
    else if (message.role !== 'system') writer.addUser(message);
  }
  return writer.end();
}

class TurnWriter {
  readonly #projection: Projection;
  readonly #turns: Turn[] = [];
  /** Ids that were sent; no two calls of a request may share one. */
  readonly #ids = new Set<string>();
  /** Of the model's turn that is being written or answered. */
  #open: OpenCall[] = [];
  #said: AssistantBlock[] = [];
  #heard: UserBlock[] = [];
  #answering = false;

  constructor(projection: Projection) {
    this.#projection = projection;
  }

  addAssistant(message: AssistantMessage): void {
    if (this.#answering) this.#close();
    const replayed = fromReplay(message);
    const verbatim = replayed !== undefined && this.#areNew(replayed);
    for (const block of verbatim ? replayed : this.#build(message)) {
      this.#said.push(block);
      if (block.type !== 'tool_use') continue;
      this.#ids.add(block.id);
      if (verbatim) this.#open.push({ given: block.id, sent: block.id });
    }
  }

  addUser(message: UserMessage | ToolMessage): void {
    this.#answering = true;
    if (message.role === 'user') {
      this.#heard.push(...toBlocks(message.content));
      return;
    }
    const { toolCallId, toolName, content } = message;
    const call = this.#open.find(({ given, result }) => given === toolCallId && result === undefined);
    if (call !== undefined) {
      call.result = toToolResult(message, call.sent);
      return;
    }
    // The API refuses a result of no call; what it says is not lost.
    this.#heard.push({ type: 'text', text: `[result of ${toolName}]` }, ...toBlocks(content, toolCallId));
  }

  end(): readonly Turn[] {
    this.#close();
    const [first] = this.#turns;
    if (first?.role !== 'user') this.#turns.unshift({ role: 'user', content: textBlocks(prompt) });
    const last = this.#turns.at(-1);
    if (last?.role === 'assistant') {
      this.#turns.splice(-1, 1, { role: 'assistant', content: trimEnd(last.content) });
    }
    return this.#turns;
  }

  /** Writes what was said and what was heard after it. */
  #close(): void {
    this.#push({ role: 'assistant', content: this.#said });
    const results = this.#open.map(
      ({ sent, result }): ToolResultBlock =>
        result ?? { type: 'tool_result', tool_use_id: sent, content: textBlocks(noResult), is_error: true },
    );
    this.#push({ role: 'user', content: [...results, ...this.#heard] });
    this.#open = [];
    this.#said = [];
    this.#heard = [];
    this.#answering = false;
  }

  /** One without content is none, and then its neighbours are of one role. */
  #push(turn: Turn): void {
    if (turn.content.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.role === 'user' && turn.role === 'user') {
      this.#turns.splice(-1, 1, { role: 'user', content: [...last.content, ...turn.content] });
    } else if (last?.role === 'assistant' && turn.role === 'assistant') {
      this.#turns.splice(-1, 1, { role: 'assistant', content: [...last.content, ...turn.content] });
    } else this.#turns.push(turn);
  }

  #build({ content, toolCalls = [] }: AssistantMessage): readonly AssistantBlock[] {
    const calls = toolCalls.map(({ id: given, name, arguments: raw }): ToolUseBlock => {
      const sent = this.#idFor(given);
      this.#open.push({ given, sent });
      return { type: 'tool_use', id: sent, name: this.#projection.aliasOf(name), input: readArguments(raw) };
    });
    return [...textBlocks(content), ...calls];
  }

  /** Ids of other providers may hold signs that the API does not take, or come again. */
  #idFor(given: string): string {
    const base = given.replace(/[^A-Za-z0-9_-]/g, '_') || 'call';
    let id = base;
    for (let again = 2; this.#ids.has(id); again += 1) id = `${base}_${again}`;
    this.#ids.add(id);
    return id;
  }

  #areNew(blocks: readonly AssistantBlock[]): boolean {
    const ids = blocks.flatMap(block => (block.type === 'tool_use' ? [block.id] : []));
    return new Set(ids).size === ids.length && ids.every(id => !this.#ids.has(id) && /^[\w-]+$/.test(id));
  }
}

/** What the model is to go on with may not end in a blank. */
function trimEnd(content: readonly AssistantBlock[]): readonly AssistantBlock[] {
  const last = content.at(-1);
  return last?.type === 'text' ? [...content.slice(0, -1), { ...last, text: last.text.trimEnd() }] : content;
}

/** Earlier messages made fit to go on from: each call answered once and in place, no answer without its call. */
import { isObject } from '../../basics/json.ts';
import type { AssistantMessage, ModelMessage, ToolCall, ToolMessage } from '../../models/model.ts';

/** What stands for the result of a call that has none. Says nothing of whether the tool ran, which is not known. */
export const missingResult = 'No result is known for this call: the run was interrupted.';

/** The neutral answer to a call without one. */
function neutralResult(call: ToolCall, content: string = missingResult): ToolMessage {
  return { role: 'tool', toolCallId: call.id, toolName: call.name, content, isError: true };
}

/**
 * A repaired copy; the list that is passed is not touched. Unanswered calls get a neutral result right after their
 * message, answers stand there in the order of the calls, answers without a call and those beyond the calls of
 * their id go. Repairing twice changes nothing. Calls without an id are left as they are.
 */
export function repairHistory(history: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = [];
  for (const [index, message] of history.entries()) {
    // Answers are placed with their calls below.
    if (message.role === 'tool' && message.toolCallId !== '') continue;
    repaired.push(message);
    if (message.role !== 'assistant') continue;
    const answers = answersTo(message, history, index + 1);
    for (const call of message.toolCalls ?? []) {
      if (call.id !== '') repaired.push(answers.get(call.id)?.shift() ?? neutralResult(call));
    }
  }
  return repaired;
}

/** The answers by the ids of the calls of `message`, looked for from `start` until the model speaks again. */
function answersTo(
  message: AssistantMessage,
  history: readonly ModelMessage[],
  start: number,
): Map<string, ToolMessage[]> {
  const answers = new Map<string, ToolMessage[]>();
  if ((message.toolCalls ?? []).length === 0) return answers;
  for (let at = start; at < history.length; at += 1) {
    const candidate = history[at];
    if (candidate?.role === 'assistant') break;
    if (candidate?.role !== 'tool') continue;
    const known = answers.get(candidate.toolCallId);
    if (known === undefined) answers.set(candidate.toolCallId, [candidate]);
    else known.push(candidate);
  }
  return answers;
}

/** The messages a run begins with. Its own instructions replace the system messages of the history. */
export function openingMessages(
  instructions: string,
  history: readonly ModelMessage[],
  prompt: ModelMessage | undefined,
): ModelMessage[] {
  const earlier = repairHistory(history);
  const opening = prompt === undefined ? earlier : [...earlier, prompt];
  if (instructions === '') return opening;
  return [{ role: 'system', content: instructions }, ...opening.filter(message => message.role !== 'system')];
}

/** Throws a TypeError that names the message which is none. */
export function checkHistory(history: unknown): asserts history is readonly ModelMessage[] {
  if (!Array.isArray(history)) throw new TypeError('history must be a list of messages');
  for (const [index, message] of history.entries()) {
    const fault = faultOf(message);
    if (fault !== undefined) throw new TypeError(`history[${index}] is not a message: ${fault}`);
  }
}

function faultOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null)
    return `it is ${message === null ? 'null' : typeof message}`;
  const { role, content, toolCalls, toolCallId } = message as Record<string, unknown>;
  if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool') {
    return `its role is ${JSON.stringify(role)}`;
  }
  const mayHaveBlocks = role === 'user' || role === 'tool';
  if (typeof content !== 'string' && !(mayHaveBlocks && Array.isArray(content) && content.every(isBlock))) {
    return `content must be text${mayHaveBlocks ? ' or a list of content blocks' : ''}`;
  }
  if (role === 'tool' && typeof toolCallId !== 'string') return 'toolCallId must be text';
  if (toolCalls !== undefined && !(Array.isArray(toolCalls) && toolCalls.every(isCall))) {
    return 'each of toolCalls must have id, name and arguments, all text';
  }
  return undefined;
}

/** Of any kind, also one that this version does not know. */
function isBlock(block: unknown): boolean {
  return isObject(block) && typeof block['type'] === 'string';
}

function isCall(call: unknown): call is ToolCall {
  if (typeof call !== 'object' || call === null) return false;
  const { id, name, arguments: raw } = call as Record<string, unknown>;
  return typeof id === 'string' && typeof name === 'string' && typeof raw === 'string';
}

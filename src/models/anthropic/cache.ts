/** Marks in a request that let the provider keep what it read: after tools and system, and at the end; pure. */
import type { CacheMark, MessagesBody, ToolDeclaration, Turn } from './request.ts';

const mark: CacheMark = { type: 'ephemeral' };

/** Two marks of the four that the API allows. What stands before a mark is kept too: tools, then system, then messages. */
export function markForCache(body: MessagesBody): MessagesBody {
  const { system, tools = [], messages } = body;
  const marked = { ...body, messages: [...messages.slice(0, -1), ...messages.slice(-1).map(markTurn)] };
  if (typeof system === 'string') {
    return { ...marked, system: [{ type: 'text', text: system, cache_control: mark }] };
  }
  return tools.length === 0
    ? marked
    : { ...marked, tools: [...tools.slice(0, -1), ...tools.slice(-1).map(markTool)] };
}

function markTool(tool: ToolDeclaration): ToolDeclaration {
  return { ...tool, cache_control: mark };
}

/** A model's own turn stays as it was. */
function markTurn(turn: Turn): Turn {
  if (turn.role === 'assistant') return turn;
  const { content } = turn;
  const last = content.slice(-1).map(block => ({ ...block, cache_control: mark }));
  return { role: 'user', content: [...content.slice(0, -1), ...last] };
}

/** What the floor answers: the same two tools by hand, nothing checked. The least that a server can do. */
import { listings, moreTools, revisions, serverInfo } from '../messages.mjs';

const capabilities = { tools: {} };
const tools = [...listings, ...moreTools];
const meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };

export function resultOf({ method, params }) {
  switch (method) {
    case 'tools/call': {
      const { name, arguments: given } = params;
      if (name === 'echo') return { content: [{ type: 'text', text: given.text }] };
      const sum = given.a + given.b;
      return { content: [{ type: 'text', text: String(sum) }], structuredContent: { sum } };
    }
    case 'tools/list':
      return { tools };
    case 'initialize':
      return { protocolVersion: revisions.handshake, capabilities, serverInfo };
    case 'server/discover':
      return { supportedVersions: [revisions.stateless], capabilities };
    default:
      return {};
  }
}

/** The answer to a message as text; nothing for what asks for none. */
export function answer(message) {
  if (message.id === undefined || message.method === undefined) return undefined;
  const result = resultOf(message);
  if (message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] === undefined) {
    return JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
  }
  const cached = message.method === 'tools/call' ? {} : { ttlMs: 0, cacheScope: 'private' };
  // Assigned: a spread of each would cost the collector more.
  const complete = Object.assign({ resultType: 'complete' }, result, cached, { _meta: meta });
  return JSON.stringify({ jsonrpc: '2.0', id: message.id, result: complete });
}

/** The messages that all subjects are measured with, in both eras. */

export const clientInfo = { name: 'bench', version: '1.0.0' };
export const serverInfo = { name: 'bench', version: '1.0.0' };
/** 100 bytes. */
export const text = 'x'.repeat(100);

/** The newest revision of each era. */
export const revisions = { handshake: '2025-11-25', stateless: '2026-07-28' };

const envelope = {
  'io.modelcontextprotocol/protocolVersion': revisions.stateless,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request as text. */
export function print(era, id, method, params = {}) {
  // Assigned: what a spread clones lives until a full collection, which would make the floor higher than it is.
  const all = era === 'stateless' ? Object.assign({}, params, { _meta: envelope }) : params;
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: all });
}

export const printEcho = (era, id, size = text.length) =>
  print(era, id, 'tools/call', { name: 'echo', arguments: { text: size === 100 ? text : 'x'.repeat(size) } });

export const initialize = {
  protocolVersion: revisions.handshake,
  capabilities: {},
  clientInfo,
};

export const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

/** The headers of a POST. */
export function headersOf(era, method, { accept, session, revision = revisions[era] }) {
  const headers = { 'content-type': 'application/json', accept, 'mcp-protocol-version': revision };
  if (session !== undefined) headers['mcp-session-id'] = session;
  if (era === 'stateless') {
    headers['mcp-method'] = method;
    if (method === 'tools/call') headers['mcp-name'] = 'echo';
  }
  return headers;
}

/** The two tools as they are listed. */
export const listings = [
  {
    name: 'echo',
    description: 'Says it again.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  },
];

/** More tools, as many as `--tools=N` asks for. */
export const moreTools = (() => {
  const wanted = process.argv.find(argument => argument.startsWith('--tools='))?.slice(8) ?? 0;
  return Array.from({ length: Number(wanted) }, (_none, index) => ({
    ...listings[0],
    name: `tool_${index}`,
  }));
})();

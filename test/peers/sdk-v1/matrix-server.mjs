/** The server of the matrix on the official 1.x package: `node matrix-server.mjs [stream | json | sse]`, stdio without. */
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { listen, serveSessions } from '../sessions.mjs';

const form = process.argv[2];
const say = text => ({ content: [{ type: 'text', text }] });
const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const goers = [];
let waiting = 0;

function makeServer() {
  const server = new McpServer(
    { name: 'matrix-1x', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {} },
      instructions: 'One tool per behaviour.',
    },
  );
  const watched = new Set();
  // A reply in JSON has no room for a question: there it goes over the standing stream.
  const ask = (extra, request, schema) =>
    form === 'json' ? server.server.request(request, schema) : extra.sendRequest(request, schema);
  const progress = (extra, done, more) => {
    const { progressToken } = extra._meta ?? {};
    if (progressToken === undefined) return;
    const params = { progressToken, progress: done, ...more };
    return extra.sendNotification({ method: 'notifications/progress', params });
  };

  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
    },
    ({ a, b }) => ({ ...say(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }),
  );
  server.registerTool('fail', { description: 'Always fails.' }, () => {
    throw new Error('there is nothing to do');
  });
  server.registerTool(
    'count',
    {
      description: 'Counts to three, and ends at once or when it is told to go.',
      inputSchema: { waits: z.boolean().optional() },
    },
    async ({ waits }, extra) => {
      const told = waits ? new Promise(resolve => goers.push(resolve)) : undefined;
      for (const done of [1, 2, 3]) await progress(extra, done, { total: 3, message: `step ${done}` });
      await told;
      return say('counted');
    },
  );
  server.registerTool('go', { description: 'Lets the counting end.' }, () => {
    for (const go of goers.splice(0)) go();
    return say('gone');
  });
  server.registerTool('wait', { description: 'Runs until it is cancelled.' }, async extra => {
    waiting += 1;
    await new Promise(resolve => extra.signal.addEventListener('abort', resolve));
    waiting -= 1;
    return say('cancelled');
  });
  server.registerTool('waiting', { description: 'How many calls wait to be cancelled.' }, () =>
    say(String(waiting)),
  );
  server.registerTool('ask', { description: 'Asks the person for a name.' }, async extra => {
    const params = { message: 'Who?', requestedSchema: nameForm };
    const answer = await ask(extra, { method: 'elicitation/create', params }, ElicitResultSchema);
    return say(`${answer.action} ${answer.content?.name}`);
  });
  server.registerTool('think', { description: 'Asks the model of the client.' }, async extra => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'which tea?' } }];
    const request = { method: 'sampling/createMessage', params: { messages, maxTokens: 10 } };
    const { model, content } = await ask(extra, request, CreateMessageResultSchema);
    return say(`${model}: ${content.text}`);
  });
  server.registerTool('folders', { description: 'Asks for the folders of the client.' }, async extra => {
    const { roots } = await ask(extra, { method: 'roots/list' }, ListRootsResultSchema);
    return say(roots.map(({ uri }) => uri).join(' '));
  });
  server.registerTool('speak', { description: 'Logs something quiet and something loud.' }, async extra => {
    await server.sendLoggingMessage({ level: 'debug', data: 'quiet' }, extra.sessionId);
    await server.sendLoggingMessage({ level: 'error', data: 'loud' }, extra.sessionId);
    return say('spoke');
  });
  server.registerTool(
    'touch',
    { description: 'Says that a resource has changed.', inputSchema: { uri: z.string() } },
    async ({ uri }) => {
      if (watched.has(uri)) await server.server.sendResourceUpdated({ uri });
      return say('touched');
    },
  );
  let late;
  server.registerTool('change', { description: 'Adds a tool, and says that the tools have changed.' }, () => {
    if (late) server.sendToolListChanged();
    else late = server.registerTool('late', { description: 'Came later.' }, () => say('better'));
    return say('changed');
  });
  server.registerTool(
    'drop',
    { description: 'Ends the stream of its reply and answers afterwards.' },
    async extra => {
      extra.closeSSEStream?.();
      return say('after the stream');
    },
  );

  server.registerResource('note', 'matrix://note', {}, uri => ({
    contents: [{ uri: uri.href, text: 'a note' }],
  }));
  const notes = new ResourceTemplate('matrix://notes/{name}', { list: undefined });
  server.registerResource('notes', notes, {}, (uri, { name }) => ({
    contents: [{ uri: uri.href, text: `note ${name}` }],
  }));
  server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    watched.add(params.uri);
    return {};
  });
  server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    watched.delete(params.uri);
    return {};
  });
  const names = ['Ada', 'Alan', 'Grace'];
  const who = completable(z.string(), value => names.filter(name => name.startsWith(value)));
  server.registerPrompt('greet', { description: 'Greets somebody.', argsSchema: { who } }, args => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Say hello to ${args.who}.` } }],
  }));
  return server;
}

/** The deprecated transport: a GET opens a session, whose messages are posted elsewhere. */
function serveOlder() {
  const sessions = new Map();
  return async (request, response, body) => {
    const { pathname, searchParams } = new URL(request.url, 'http://here');
    if (request.method === 'GET' && pathname === '/mcp') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      await makeServer().connect(transport);
    } else if (request.method === 'POST' && pathname === '/messages') {
      await sessions.get(searchParams.get('sessionId')).handlePostMessage(request, response, body);
    } else response.writeHead(405).end();
  };
}

if (form === 'sse') listen(serveOlder());
else if (form === undefined) await makeServer().connect(new StdioServerTransport());
else listen(serveSessions(StreamableHTTPServerTransport, makeServer, form));

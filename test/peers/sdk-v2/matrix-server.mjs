/**
 * The server of the matrix on the official 2.x packages: `node matrix-server.mjs [stream | json]`, stdio without;
 * `--stateless-only` refuses the handshake, `--session-less` serves it without sessions, as the packages do by default.
 */
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
  completable,
  createMcpHandler,
  inputRequired,
  isLegacyRequest,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { listen, serveSessions } from '../sessions.mjs';

const [form, ...flags] = process.argv.slice(2);
const isHttp = form === 'stream' || form === 'json';
const refusesHandshake = process.argv.includes('--stateless-only');
const say = text => ({ content: [{ type: 'text', text }] });
const nothing = z.object({});
const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const goers = [];
let waiting = 0;
let hasLate = false;
/** Tells listeners of the stateless era over HTTP, where every request has a server of its own. */
let handler;

function makeServer(context) {
  const isStateless = context?.era === 'modern';
  const server = new McpServer(
    { name: 'matrix-2x', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
      },
      instructions: 'One tool per behaviour.',
    },
  );
  const watched = new Set();
  const notifier = isStateless && isHttp ? handler.notify : undefined;
  const progress = (ctx, done, more) => {
    const { progressToken } = ctx.mcpReq._meta ?? {};
    if (progressToken === undefined) return;
    const params = { progressToken, progress: done, ...more };
    return ctx.mcpReq.notify({ method: 'notifications/progress', params });
  };
  const tool = (name, description, run) =>
    server.registerTool(name, { description, inputSchema: nothing }, (_args, ctx) => run(ctx));
  const late = () => tool('late', 'Came later.', () => say('better'));

  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ ...say(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }),
  );
  tool('fail', 'Always fails.', () => {
    throw new Error('there is nothing to do');
  });
  server.registerTool(
    'count',
    {
      description: 'Counts to three, and ends at once or when it is told to go.',
      inputSchema: z.object({ waits: z.boolean().optional() }),
    },
    async ({ waits }, ctx) => {
      const told = waits ? new Promise(resolve => goers.push(resolve)) : undefined;
      for (const done of [1, 2, 3]) await progress(ctx, done, { total: 3, message: `step ${done}` });
      await told;
      return say('counted');
    },
  );
  tool('go', 'Lets the counting end.', () => {
    for (const go of goers.splice(0)) go();
    return say('gone');
  });
  tool('wait', 'Runs until it is cancelled.', async ctx => {
    waiting += 1;
    await new Promise(resolve => ctx.mcpReq.signal.addEventListener('abort', resolve));
    waiting -= 1;
    return say('cancelled');
  });
  tool('waiting', 'How many calls wait to be cancelled.', () => say(String(waiting)));
  tool('ask', 'Asks the person for a name.', ctx => {
    const answer = ctx.mcpReq.inputResponses?.who;
    if (answer) return say(`${answer.action} ${answer.content?.name}`);
    const who = inputRequired.elicit({ message: 'Who?', requestedSchema: nameForm });
    return inputRequired({ inputRequests: { who } });
  });
  tool('think', 'Asks the model of the client.', ctx => {
    const answer = ctx.mcpReq.inputResponses?.tea;
    if (answer) return say(`${answer.model}: ${answer.content.text}`);
    const messages = [{ role: 'user', content: { type: 'text', text: 'which tea?' } }];
    const tea = inputRequired.createMessage({ messages, maxTokens: 10 });
    return inputRequired({ inputRequests: { tea } });
  });
  tool('folders', 'Asks for the folders of the client.', ctx => {
    const answer = ctx.mcpReq.inputResponses?.where;
    if (answer) return say(answer.roots.map(({ uri }) => uri).join(' '));
    return inputRequired({ inputRequests: { where: inputRequired.listRoots() } });
  });
  tool('speak', 'Logs something quiet and something loud.', async ctx => {
    await ctx.mcpReq.log('debug', 'quiet');
    await ctx.mcpReq.log('error', 'loud');
    return say('spoke');
  });
  server.registerTool(
    'touch',
    { description: 'Says that a resource has changed.', inputSchema: z.object({ uri: z.string() }) },
    async ({ uri }) => {
      if (notifier) notifier.resourceUpdated(uri);
      else if (isStateless || watched.has(uri)) await server.server.sendResourceUpdated({ uri });
      return say('touched');
    },
  );
  tool('change', 'Adds a tool, and says that the tools have changed.', () => {
    if (notifier) notifier.toolsChanged();
    else if (hasLate) server.sendToolListChanged();
    else late();
    hasLate = true;
    return say('changed');
  });
  tool('drop', 'Ends the stream of its reply and answers afterwards.', ctx => {
    ctx.http?.closeSSE?.();
    return say('after the stream');
  });
  if (hasLate) late();

  server.registerResource('note', 'matrix://note', {}, uri => ({
    contents: [{ uri: uri.href, text: 'a note' }],
  }));
  const notes = new ResourceTemplate('matrix://notes/{name}', { list: undefined });
  server.registerResource('notes', notes, {}, (uri, { name }) => ({
    contents: [{ uri: uri.href, text: `note ${name}` }],
  }));
  if (!isStateless) {
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      watched.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      watched.delete(params.uri);
      return {};
    });
  }
  const names = ['Ada', 'Alan', 'Grace'];
  const who = completable(z.string(), value => names.filter(name => name.startsWith(value)));
  const argsSchema = z.object({ who });
  server.registerPrompt('greet', { description: 'Greets somebody.', argsSchema }, args => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Say hello to ${args.who}.` } }],
  }));
  return server;
}

if (isHttp) {
  const isSessionLess = flags.includes('--session-less');
  handler = createMcpHandler(makeServer, {
    legacy: isSessionLess ? 'stateless' : 'reject',
    responseMode: form === 'json' ? 'json' : 'sse',
  });
  const stateless = toNodeHandler(handler);
  const sessions = serveSessions(NodeStreamableHTTPServerTransport, makeServer, form);
  listen(async (request, response, body) => {
    const isOld =
      !refusesHandshake && !isSessionLess && (await isLegacyRequest(await toWebRequest(request, body)));
    return (isOld ? sessions : stateless)(request, response, body);
  });
} else {
  serveStdio(makeServer, { legacy: refusesHandshake ? 'reject' : 'serve' });
}

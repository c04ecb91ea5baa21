/** The official 2.x client as a driver of the matrix; `mode` is `legacy`, `auto` or a revision, which pins it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Stock } from '../stock.mjs';

export async function open(way, mode) {
  const client = new Client(
    { name: 'official-2x', version: '2.4.0' },
    {
      capabilities: { elicitation: {}, sampling: {}, roots: {} },
      versionNegotiation: { mode: mode === 'legacy' || mode === 'auto' ? mode : { pin: mode } },
    },
  );
  const logs = new Stock();
  const watches = new Set();
  const tell = change => {
    for (const watch of watches) watch(change);
  };
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    content: { type: 'text', text: 'oolong' },
    model: 'teapot',
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///tea', name: 'tea' }] }));
  client.setNotificationHandler('notifications/message', ({ params }) => logs.add(params));
  client.setNotificationHandler('notifications/tools/list_changed', () => tell({ kind: 'tools' }));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    tell({ kind: 'resource', uri: params.uri }),
  );
  const transport =
    way.kind === 'stdio'
      ? new StdioClientTransport({ command: way.command, args: [...way.args], env: getDefaultEnvironment() })
      : new StreamableHTTPClientTransport(new URL(way.url));
  await client.connect(transport);
  const isStateless = client.getProtocolEra() === 'modern';
  if (!isStateless) await client.setLoggingLevel('warning');
  // In the stateless era each request says which log messages it wants.
  const _meta = isStateless ? { 'io.modelcontextprotocol/logLevel': 'warning' } : undefined;

  return {
    revision: client.getNegotiatedProtocolVersion(),
    server: client.getServerVersion(),
    renewsSessions: false,
    tools: async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools,
    call: (name, args = {}, { signal, onProgress } = {}) =>
      client.callTool(
        { name, arguments: args, ...(_meta ? { _meta } : {}) },
        { ...(signal ? { signal } : {}), ...(onProgress ? { onprogress: onProgress } : {}) },
      ),
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async uri => (await client.readResource({ uri })).contents[0]?.text,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: async (name, args) =>
      (await client.getPrompt({ name, arguments: args })).messages[0]?.content.text,
    complete: async (name, argument) =>
      (await client.complete({ ref: { type: 'ref/prompt', name }, argument })).completion.values,
    async watch({ tools = false, uris = [] }) {
      const heard = new Stock();
      const watch = change => {
        if (change.kind === 'tools' ? tools : uris.includes(change.uri)) heard.add(change);
      };
      watches.add(watch);
      const stream = isStateless
        ? await client.listen({
            ...(tools ? { toolsListChanged: true } : {}),
            ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
          })
        : undefined;
      if (!isStateless) for (const uri of uris) await client.subscribeResource({ uri });
      return {
        next: () => heard.take(),
        async stop() {
          watches.delete(watch);
          await stream?.close();
          if (!isStateless) for (const uri of uris) await client.unsubscribeResource({ uri });
        },
      };
    },
    nextLog: () => logs.take(),
    async close() {
      await transport.terminateSession?.().catch(() => {});
      await client.close();
    },
  };
}

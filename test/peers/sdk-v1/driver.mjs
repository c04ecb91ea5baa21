/** The official 1.x client as a driver of the matrix. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Stock } from '../stock.mjs';

export async function open(way) {
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };
  const client = new Client({ name: 'official-1x', version: '1.32.2' }, { capabilities });
  const logs = new Stock();
  const watches = new Set();
  const tell = change => {
    for (const watch of watches) watch(change);
  };
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    content: { type: 'text', text: 'oolong' },
    model: 'teapot',
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///tea', name: 'tea' }] }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logs.add(params));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => tell({ kind: 'tools' }));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    tell({ kind: 'resource', uri: params.uri }),
  );
  const transport =
    way.kind === 'stdio'
      ? new StdioClientTransport({ command: way.command, args: way.args, env: getDefaultEnvironment() })
      : new (way.older ? SSEClientTransport : StreamableHTTPClientTransport)(new URL(way.url));
  let revision = transport.protocolVersion;
  const { setProtocolVersion } = transport;
  transport.setProtocolVersion = value => {
    revision = value;
    setProtocolVersion?.call(transport, value);
  };
  await client.connect(transport);
  await client.setLoggingLevel('warning');

  return {
    revision,
    server: client.getServerVersion(),
    renewsSessions: false,
    tools: async () => (await client.listTools()).tools,
    call: (name, args = {}, { signal, onProgress } = {}) =>
      client.callTool({ name, arguments: args }, undefined, {
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onprogress: onProgress } : {}),
      }),
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
      for (const uri of uris) await client.subscribeResource({ uri });
      return {
        next: () => heard.take(),
        async stop() {
          watches.delete(watch);
          for (const uri of uris) await client.unsubscribeResource({ uri });
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

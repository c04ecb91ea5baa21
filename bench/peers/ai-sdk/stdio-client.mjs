/** AI SDK's client on stdio. */
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { asked } from '../../client-run.mjs';
import { measureOver } from './connected.mjs';

await measureOver(new StdioMCPTransport({ command: process.execPath, args: [asked.server] }));

/** The official client on stdio. */
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { asked } from '../../client-run.mjs';
import { measureOver } from './connected.mjs';

await measureOver(new StdioClientTransport({ command: process.execPath, args: [asked.server] }));

/** The first official package's client on stdio. */
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { asked } from '../../client-run.mjs';
import { measureOver } from './connected.mjs';

await measureOver(new StdioClientTransport({ command: process.execPath, args: [asked.server] }));

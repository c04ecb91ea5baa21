/** The first official package's client over HTTP. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { asked } from '../../client-run.mjs';
import { measureOver } from './connected.mjs';

await measureOver(new StreamableHTTPClientTransport(new URL(asked.url)));

/** The official client over HTTP. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { asked } from '../../client-run.mjs';
import { measureOver } from './connected.mjs';

await measureOver(new StreamableHTTPClientTransport(new URL(asked.url)));

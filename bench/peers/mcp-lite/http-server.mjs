/** mcp-lite over HTTP; `--session-less` keeps no sessions. */
import { InMemorySessionAdapter, StreamableHttpTransport } from 'mcp-lite';
import { serveWeb } from '../web-on-node.mjs';
import { makeServer } from './definition.mjs';

const sessions = process.argv.includes('--session-less')
  ? {}
  : { sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1 }) };
serveWeb(new StreamableHttpTransport(sessions).bind(makeServer()));

/** tmcp over HTTP; it answers with event streams, and keeps sessions for the handshake. */
import { HttpTransport } from '@tmcp/transport-http';
import { serveWeb } from '../web-on-node.mjs';
import { makeServer } from './definition.mjs';

const transport = new HttpTransport(makeServer(), { path: '/mcp' });
serveWeb(request => transport.respond(request));

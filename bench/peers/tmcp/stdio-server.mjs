/** tmcp on stdio. */
import { StdioTransport } from '@tmcp/transport-stdio';
import { makeServer } from './definition.mjs';

new StdioTransport(makeServer()).listen();

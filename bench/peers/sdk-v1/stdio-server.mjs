/** The first official package's server on stdio. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { makeServer } from './definition.mjs';

await makeServer().connect(new StdioServerTransport());

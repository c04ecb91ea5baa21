/** The official server on stdio. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeServer } from './definition.mjs';

serveStdio(makeServer);

/** Our server on stdio. */
import { serveStdio } from 'tenon/stdio';
import { server } from './definition.mjs';

serveStdio(server);

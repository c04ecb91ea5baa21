/** Our server over HTTP; `--session-less` keeps no sessions. */
import { serveHttp } from 'tenon/node';
import { server } from './definition.mjs';

const sessions = process.argv.includes('--session-less') ? 'none' : true;
console.log((await serveHttp(server, { sessions })).url);

import { serveHttp } from 'tenon/node';
import { yard } from './yard.mjs';

const { url } = await serveHttp(yard, { port: 3923 });
console.log(`serving ${url}`);

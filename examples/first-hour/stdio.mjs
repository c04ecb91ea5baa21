import { serveStdio } from 'tenon/stdio';
import { yard } from './yard.mjs';

serveStdio(yard);

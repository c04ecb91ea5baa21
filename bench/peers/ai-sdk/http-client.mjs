/** AI SDK's client over HTTP. */
import { asked } from '../../client-run.mjs';
import { measureOver } from './connected.mjs';

await measureOver({ type: 'http', url: asked.url });

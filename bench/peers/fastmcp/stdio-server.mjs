/** fastmcp on stdio. */
import { makeServer } from './definition.mjs';

await makeServer().start({ transportType: 'stdio' });

/** fastmcp over HTTP; `--session-less` keeps no sessions, `--stream` answers with event streams. */
import { createServer } from 'node:net';
import { makeServer } from './definition.mjs';

/** It wants a number: one that was free a moment ago. */
const port = await new Promise(resolve => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const found = probe.address().port;
    probe.close(() => resolve(found));
  });
});
await makeServer().start({
  transportType: 'httpStream',
  httpStream: {
    port,
    host: '127.0.0.1',
    endpoint: '/mcp',
    stateless: process.argv.includes('--session-less'),
    enableJsonResponse: !process.argv.includes('--stream'),
  },
});
console.log(`http://127.0.0.1:${port}/mcp`);

/** For peers that take web requests: the least that puts them on node:http. */
import { createServer } from 'node:http';

/** Serves `respond`, a function from a web `Request` to a `Response`, and prints the address. */
export function serveWeb(respond) {
  const listener = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const body = method === 'POST' ? await readAll(incoming) : undefined;
    const request = new Request(`http://127.0.0.1${url}`, { method, headers, ...(body ? { body } : {}) });
    const response = (await respond(request)) ?? new Response(null, { status: 404 });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
  listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
}

async function readAll(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

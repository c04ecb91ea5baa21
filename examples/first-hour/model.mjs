import { createServer } from 'node:http';

function answer({ messages, tools }) {
  const { role, content } = messages.at(-1);
  if (role === 'tool') return { content: `The tool said: ${content}` };
  if (!tools) return { content: '12' };
  const call = content.includes('Order')
    ? { name: 'order', arguments: '{"wood":"oak","boards":2}' }
    : { name: 'in_stock', arguments: '{"wood":"oak"}' };
  return { content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] };
}

const server = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const choices = [{ index: 0, message: { role: 'assistant', ...answer(body) }, finish_reason: 'stop' }];
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices, usage: { prompt_tokens: 100, completion_tokens: 10 } }));
});
server.listen(3924, '127.0.0.1', () => console.log('a model at http://127.0.0.1:3924/v1'));

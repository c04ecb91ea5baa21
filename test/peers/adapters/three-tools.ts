/** The server whose three tools every library uses: a sum, a chart with a picture, and orders that are not found. */
import { type Client, connect, image, Server, ToolError, text, tool } from 'tenon';

/** A picture of one pixel. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  run: ({ a, b }) => ({ sum: a + b }),
});

const chart = tool({
  name: 'chart',
  description: 'Draws a chart of the year.',
  run: () => [text('sales of the year'), image(pixel, 'image/png')],
});

const findOrder = tool({
  // Not every provider takes a dot.
  name: 'orders.find',
  description: 'Where an order is.',
  input: {
    type: 'object',
    properties: { id: { type: 'string', description: 'Such as A-17.' } },
    required: ['id'],
  },
  run({ id }): string {
    throw new ToolError(`There is no order ${id}; ids look like A-17.`);
  },
});

/** A client of it, in this process. */
export function connectThreeTools(): Promise<Client> {
  return connect(new Server({ name: 'three-tools', version: '1.0.0', tools: [add, chart, findOrder] }));
}

/** What a model calls in its first turn, at once: what it is offered of these. */
export const plannedCalls = [
  { like: /^add/, args: { a: 20, b: 22 } },
  { like: /^chart/, args: {} },
  { like: /find/, args: { id: 'Z-9' } },
  { like: /^wait/, args: {} },
  { like: /^pay/, args: {} },
] as const;

/** What it says in its second. */
export const finalAnswer = 'The sum is 42, the chart is drawn, and Z-9 is no order.';

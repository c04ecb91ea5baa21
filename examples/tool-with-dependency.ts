/** A tool that needs something of its agent: declared by a type, given per run, and refused where it is missing. */
import { Agent, type ToolContext, ToolError, tool } from 'tenon';
import { scripted } from 'tenon/testing';

// #region tool
interface Orders {
  status(id: string): string | undefined;
}

const orderStatus = tool({
  name: 'order_status',
  description: 'Where an order is.',
  input: {
    type: 'object',
    properties: { id: { type: 'string', description: 'Such as A-17.' } },
    required: ['id'],
    additionalProperties: false,
  },
  run({ id }, ctx: ToolContext<{ orders: Orders }>) {
    const status = ctx.deps.orders.status(id);
    // The model reads this and may try again.
    if (status === undefined) throw new ToolError(`There is no order ${id}; ids look like A-17.`);
    return status;
  },
});
// #endregion

const model = scripted([
  { toolCalls: [{ name: 'order_status', arguments: { id: '17' } }] },
  { toolCalls: [{ name: 'order_status', arguments: { id: 'A-17' } }] },
  'It left the yard this morning.',
]);

const known = new Map([['A-17', 'on its way since 7:40']]);
// #region run
const agent = new Agent({ model, tools: [orderStatus] });
const { output, messages } = await agent.run('Where is my order A-17?', {
  deps: { orders: { status: id => known.get(id) } },
});
// #endregion

for (const message of messages) if (message.role === 'tool') console.log(`tool: ${String(message.content)}`);
console.log(output);

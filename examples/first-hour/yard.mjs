import { Server, tool } from 'tenon/server';

const boards = { oak: 12, ash: 0 };

const inStock = tool({
  name: 'in_stock',
  description: 'How many boards of a wood are in stock.',
  input: {
    type: 'object',
    properties: { wood: { type: 'string', description: 'Such as oak.' } },
    required: ['wood'],
  },
  annotations: { readOnlyHint: true },
  run: ({ wood }) => `${boards[wood] ?? 0} boards of ${wood}`,
});

export const yard = new Server({ name: 'yard', version: '1.0.0', tools: [inStock] });

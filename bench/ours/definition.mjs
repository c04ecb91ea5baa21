/** Our server with the two tools. */
import { Server, tool } from 'tenon/server';
import { listings, moreTools, serverInfo } from '../messages.mjs';

const [echo, add] = listings;

export const server = new Server({
  ...serverInfo,
  tools: [
    tool({
      name: 'echo',
      description: echo.description,
      input: echo.inputSchema,
      run: ({ text }) => text,
    }),
    tool({
      name: 'add',
      description: add.description,
      input: add.inputSchema,
      output: add.outputSchema,
      run: ({ a, b }) => ({ sum: a + b }),
    }),
    ...moreTools.map(({ name, description, inputSchema }) =>
      tool({ name, description, input: inputSchema, run: ({ text }) => text }),
    ),
  ],
});

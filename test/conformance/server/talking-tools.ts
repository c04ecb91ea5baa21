/** Tools that say something while they run: logs, progress, a stream that ends early. */
import { setTimeout as wait } from 'node:timers/promises';
import { tool } from 'tenon/server';

export const talkingTools = [
  tool({
    name: 'test_tool_with_logging',
    description: 'Logs three messages while it runs.',
    run: async (_args, ctx) => {
      ctx.log('info', 'Tool execution started');
      await wait(50);
      ctx.log('info', 'Tool processing data');
      await wait(50);
      ctx.log('info', 'Tool execution completed');
      return 'Logged three messages.';
    },
  }),
  tool({
    name: 'test_tool_with_progress',
    description: 'Reports progress three times while it runs.',
    run: async (_args, ctx) => {
      for (const done of [0, 50, 100]) {
        ctx.progress(done, { total: 100 });
        await wait(50);
      }
      return 'Reported progress three times.';
    },
  }),
  tool({
    name: 'test_logging_tool',
    description: 'Logs a message, which a client sees only when it asked for logs.',
    run: (_args, ctx) => {
      ctx.log('info', 'A message for those who asked for it');
      return 'Logged a message.';
    },
  }),
  tool({
    name: 'test_streaming_elicitation',
    description: 'Answers a client that could be asked, without asking it.',
    run: () => 'Nothing had to be asked.',
  }),
  tool({
    name: 'test_reconnection',
    description: 'Ends the stream before it answers; the answer waits for the client to come back.',
    run: async (_args, ctx) => {
      ctx.closeStream();
      await wait(100);
      return 'Answered after the stream was closed.';
    },
  }),
];

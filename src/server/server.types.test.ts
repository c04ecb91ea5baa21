import { describe, expectTypeOf, it } from 'vitest';
import type { ToolContext } from '../tools/context.ts';
import { tool } from '../tools/tool.ts';
import { Server } from './server.ts';

describe('the tools of a server', () => {
  const plain = tool({ name: 'plain', description: '', run: () => 'x' });
  const needy = tool({
    name: 'needy',
    description: '',
    input: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    run(args, ctx: ToolContext<{ db: string }>) {
      expectTypeOf(args).toEqualTypeOf<{ q: string; [extra: string]: unknown }>();
      return ctx.deps.db + args.q;
    },
  });

  it('are kept as the tuple they are', () => {
    const server = new Server({ name: 's', version: '1', tools: [plain] });
    expectTypeOf(server).toEqualTypeOf<Server<readonly [typeof plain]>>();
  });

  it('must not need what a server does not give', () => {
    // @ts-expect-error a server has no dependencies to give
    new Server({ name: 's', version: '1', tools: [plain, needy] });
    const server = new Server({ name: 's', version: '1', tools: [plain] });
    // @ts-expect-error nor has an update
    server.update({ tools: [needy] });
  });
});

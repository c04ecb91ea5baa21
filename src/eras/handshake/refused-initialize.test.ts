import { describe, expect, it } from 'vitest';
import { testRouter } from '../../../test/fixtures/eras/router.ts';
import { HttpTalk } from '../../../test/fixtures/http/era-talk.ts';
import { memoryEvents } from './event-store.ts';

const refusable = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: 'x'.repeat(70_000) };

describe('an initialize that is refused', () => {
  it.each([false, true])('leaves no session behind and names none (resumable: %s)', async kept => {
    const router = testRouter();
    const served = new HttpTalk(router, kept ? { events: memoryEvents() } : {});
    const refused = await served.ask('initialize', refusable).done;
    expect(refused.answer?.error?.code).toBe(-32602);
    expect(refused.headers).not.toHaveProperty('Mcp-Session-Id');
    // Of the reply, which shares it with all; a session has another one to end it by.
    expect(served.clock.pending).toBe(1);
    expect(router.listeners).toBe(0);
    const session = await served.open();
    expect(served.clock.pending).toBe(2);
    expect((await served.ask('ping', {}, { session }).done).answer?.result).toEqual({});
  });

  it('may be followed by a better one under the id of a session that is gone', async () => {
    const served = new HttpTalk(testRouter());
    await served.ask('initialize', refusable, { session: 'gone' }).done;
    const session = await served.open('2025-11-25', { session: 'gone' });
    expect(served.ask('ping', {}, { session }).status).toBe(200);
  });

  it('leaves a session alone that was open before', async () => {
    const served = new HttpTalk(testRouter());
    const session = await served.open();
    const again = await served.ask('initialize', { protocolVersion: '2025-03-26' }, { session }).done;
    expect(again.body?.error?.code).toBe(-32600);
    expect(served.ask('ping', {}, { session }).status).toBe(200);
  });
});

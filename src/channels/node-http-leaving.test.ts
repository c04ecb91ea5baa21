import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { listen } from '../../test/fixtures/http/listening.ts';
import { post } from '../../test/fixtures/http/served.ts';
import { head, RawSocket, whole } from '../../test/fixtures/http/socket.ts';
import type { EventStream, HttpReply } from './channel.ts';

guardRejections();

describe('a client that goes', () => {
  it('between the head and the body leaves nothing behind, a thousand times', async () => {
    const { port, server, url } = await listen();
    for (let round = 0; round < 20; round += 1) {
      const clients = await Promise.all(Array.from({ length: 50 }, () => RawSocket.open(port)));
      for (const client of clients) {
        client.say(head({ 'Content-Length': 100 }));
        client.say('{"a"');
        client.leave();
      }
      await Promise.all(clients.map(({ closed }) => closed));
    }
    expect((await fetch(url, post({}))).status).toBe(200);
    expect(server.requests).toHaveLength(1);
  });

  it('while its answer is on the way is noticed once, a thousand times', async () => {
    let left = 0;
    const replies: HttpReply[] = [];
    let all = (): void => {};
    const everyone = new Promise<void>(resolve => {
      all = resolve;
    });
    const { port, handed } = await listen((_request, reply) => {
      replies.push(reply);
      reply.onLeave(() => {
        left += 1;
        // Whatever is said now must not hurt.
        reply.whole(200, { late: true });
        const stream = reply.stream();
        stream.send({ data: {} });
        stream.end();
        if (left === 1000) all();
      });
    });
    for (let round = 1; round <= 20; round += 1) {
      const clients = await Promise.all(Array.from({ length: 50 }, () => RawSocket.open(port)));
      for (const client of clients) client.say(whole({}));
      await handed(round * 50);
      for (const client of clients) client.leave();
    }
    await everyone;
    expect([left, replies.length]).toEqual([1000, 1000]);
  });

  it('in the middle of an event stream is noticed, and the stream takes no more', async () => {
    let left = (): void => {};
    const gone = new Promise<void>(resolve => {
      left = resolve;
    });
    let stream: EventStream | undefined;
    const { port } = await listen((_request, reply) => {
      stream = reply.stream();
      stream.send({ data: { n: 1 } });
      reply.onLeave(left);
    });
    const client = await RawSocket.open(port);
    client.say(whole({}));
    await client.until('"n":1');
    client.leave();
    await gone;
    for (let n = 0; n < 100; n += 1) stream?.send({ data: { n } });
    stream?.end();
  });

  it('with only its sending end still gets its answer', async () => {
    let reply: HttpReply | undefined;
    const { port, handed } = await listen((_request, given) => {
      reply = given;
    });
    const client = await RawSocket.open(port);
    client.socket.end(whole({}));
    await handed(1);
    reply?.whole(200, { answered: true });
    await client.until('"answered":true');
    await client.closed;
  });
});

import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Outbound } from './stdio-outbound.ts';

/** A pipe whose reader takes a write only when told to. */
function pipe() {
  const writes: string[] = [];
  const held: (() => void)[] = [];
  let reading = true;
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 100,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      if (reading) done();
      else held.push(done);
    },
  });
  return {
    stream,
    writes,
    pause() {
      reading = false;
    },
    resume() {
      reading = true;
      for (const done of held.splice(0)) done();
    },
  };
}

const note = (method: string) => ({ jsonrpc: '2.0', method }) as const;
const tick = () => new Promise(setImmediate);
const never = (): never => {
  throw new Error('must not happen');
};

it('writes all messages of one tick at once, in order', async () => {
  const { stream, writes } = pipe();
  const outbound = new Outbound(stream, { limit: 1e6, overflow: never });
  for (const name of ['a', 'b', 'c']) outbound.send(note(name));
  expect(writes).toEqual([]);
  await tick();
  expect(writes).toEqual([['a', 'b', 'c'].map(name => `${JSON.stringify(note(name))}\n`).join('')]);
});

it('holds back while the reader is slow, and goes on in order', async () => {
  const { stream, writes, pause, resume } = pipe();
  const outbound = new Outbound(stream, { limit: 1e6, overflow: never });
  pause();
  outbound.send(note('x'.repeat(200)));
  await tick();
  for (const name of ['a', 'b']) outbound.send(note(name));
  await tick();
  expect(writes).toHaveLength(1);
  resume();
  await tick();
  expect(writes).toHaveLength(2);
  expect(writes[1]).toBe(`${JSON.stringify(note('a'))}\n${JSON.stringify(note('b'))}\n`);
});

it('lets no more wait than the limit and one message, and says so once', async () => {
  const { stream, pause } = pipe();
  const overflows: number[] = [];
  const outbound = new Outbound(stream, { limit: 1000, overflow: waiting => overflows.push(waiting) });
  pause();
  for (let at = 0; at < 100; at += 1) {
    outbound.send(note('x'.repeat(300)));
    await tick();
  }
  expect(overflows).toHaveLength(1);
  expect(overflows[0]).toBeGreaterThan(1000);
  expect(overflows[0]).toBeLessThan(1700);
  expect(stream.writableLength).toBeLessThan(1700);
});

it('takes one message beyond the limit when nothing else waits', async () => {
  const { stream, writes } = pipe();
  const outbound = new Outbound(stream, { limit: 1000, overflow: never });
  outbound.send(note('x'.repeat(5000)));
  await tick();
  expect(writes[0]?.length).toBeGreaterThan(5000);
});

it('writes what waits before it ends the pipe, and takes nothing afterwards', async () => {
  const { stream, writes, pause, resume } = pipe();
  const outbound = new Outbound(stream, { limit: 1e6, overflow: never });
  pause();
  outbound.send(note('x'.repeat(200)));
  await tick();
  outbound.send(note('last'));
  outbound.end();
  outbound.end();
  outbound.send(note('late'));
  resume();
  await tick();
  expect(writes.join('')).toContain('"last"');
  expect(writes.join('')).not.toContain('late');
  expect(stream.writableFinished).toBe(true);
});

it('does nothing on a pipe that is broken', async () => {
  const { stream, writes } = pipe();
  stream.on('error', () => {});
  const outbound = new Outbound(stream, { limit: 1e6, overflow: never });
  stream.destroy(new Error('EPIPE'));
  outbound.send(note('a'));
  await tick();
  outbound.end();
  expect(writes).toEqual([]);
});

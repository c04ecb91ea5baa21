import { describe, expect, it } from 'vitest';
import { StreamTail } from './bare-error.ts';
import type { FailureFacts } from './failure.ts';

const facts: FailureFacts = {
  provider: 'p',
  status: 200,
  headers: new Headers(),
  secrets: ['hunter2'],
  rules: { words: [] },
};
const error = `${JSON.stringify({ error: { code: 503, message: 'Overloaded, hunter2.' } }, undefined, 2)}\n`;
const event = 'data: {"a":1}\n\n';

function failureOf(...pieces: readonly string[]): unknown {
  const tail = new StreamTail();
  for (const piece of pieces) tail.keep(new TextEncoder().encode(piece));
  return tail.failure(facts);
}

describe('the end of a stream', () => {
  it.each([
    ['alone', [error]],
    ['after events', [event, error]],
    ['in the piece of an event', [`${event}${error}`]],
    ['sign by sign', [...event, ...error]],
    ['after more than is kept', [event.repeat(20_000), error]],
    ['in the last of many pieces', [...Array.from({ length: 90_000 }, () => '.'), '\n', error]],
  ])('tells an error that stands there %s, and no secret', (_, pieces) => {
    expect(failureOf(...pieces)).toMatchObject({
      kind: 'server',
      status: 503,
      message: 'p reports an error 503: Overloaded, ***.',
    });
  });

  it.each([
    ['nothing', []],
    ['events alone', [event]],
    ['half an error', [event, error.slice(0, 20)]],
    ['something else', [event, '{"ok":true}\n']],
    ['an error that came as an event', [`data: ${error.replaceAll('\n', '')}\n\n`]],
  ])('tells none for %s', (_, pieces) => {
    expect(failureOf(...pieces)).toBeUndefined();
  });

  it('keeps its own copy of what it was given', () => {
    const tail = new StreamTail();
    const piece = new TextEncoder().encode(error);
    tail.keep(piece);
    piece.fill(0);
    expect(tail.failure(facts)).toMatchObject({ status: 503 });
  });
});

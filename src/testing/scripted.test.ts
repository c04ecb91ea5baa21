import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { collect } from '../models/collect.ts';
import type { ModelMessage, Part } from '../models/model.ts';
import { scripted } from './scripted.ts';

const ask = (content: string): { messages: ModelMessage[] } => ({ messages: [{ role: 'user', content }] });

describe('a scripted model', () => {
  it('plays text, whole responses and functions of the request in order', async () => {
    const model = scripted([
      'one',
      {
        text: 'two',
        toolCalls: [
          { name: 'a' },
          { name: 'b', id: 'x', arguments: { n: 1 } },
          { name: 'c', arguments: '{' },
        ],
      },
      ({ messages }, index) => `${messages[0]?.content} ${index}`,
      async () => ({ text: 'four', usage: { inputTokens: 3 } }),
    ]);
    expect((await collect(model.respond(ask('q')))).text).toBe('one');
    expect(await collect(model.respond(ask('q')))).toMatchObject({
      text: 'two',
      finish: 'tool-calls',
      toolCalls: [
        { id: 'call_1', name: 'a', arguments: '{}' },
        { id: 'x', name: 'b', arguments: '{"n":1}' },
        { id: 'call_2', name: 'c', arguments: '{' },
      ],
    });
    expect((await collect(model.respond(ask('q')))).text).toBe('q 2');
    expect(model.remaining).toBe(1);
    expect((await collect(model.respond(ask('q')))).usage).toEqual({
      inputTokens: 3,
      outputTokens: 0,
      requests: 1,
    });
    expect(model.remaining).toBe(0);
  });
  it('keeps deep copies of what it was asked', async () => {
    const model = scripted(['a']);
    const request = ask('before');
    await collect(model.respond(request));
    request.messages.push({ role: 'user', content: 'after' });
    expect(model.requests).toEqual([ask('before')]);
  });
  it('fails when it is asked more than it knows, unless it may begin again', async () => {
    const model = scripted(['a'], { name: 'mine' });
    await collect(model.respond(ask('q')));
    await expect(collect(model.respond(ask('q')))).rejects.toThrow(
      'mine: request 2 came, but the script has only 1',
    );
    const cycling = scripted(['a', 'b'], { cycle: true });
    for (const text of ['a', 'b', 'a']) expect((await collect(cycling.respond(ask('q')))).text).toBe(text);
  });
  it('comes in pieces when told to', async () => {
    const model = scripted([{ text: 'abcde', toolCalls: [{ name: 'x', arguments: '{"a":1}' }] }], {
      pieces: 3,
    });
    const parts: Part[] = [];
    for await (const part of model.respond(ask('q'))) parts.push(part);
    expect(parts.flatMap(part => (part.type === 'text' ? [part.text] : []))).toEqual(['abc', 'de']);
    expect(parts.flatMap(part => (part.type === 'tool-call-delta' ? [part.arguments] : []))).toEqual([
      '{"a',
      '":1',
      '}',
    ]);
    expect(() => scripted([], { pieces: 0 })).toThrow(/pieces/);
  });
  it('throws the errors of its script, also in the middle of a response', async () => {
    const error = new Error('down');
    const model = scripted([error, { text: 'half', error }]);
    await expect(collect(model.respond(ask('q')))).rejects.toBe(error);
    const parts: Part[] = [];
    const reading = (async () => {
      for await (const part of model.respond(ask('q'))) parts.push(part);
    })();
    await expect(reading).rejects.toBe(error);
    expect(parts).toEqual([{ type: 'text', text: 'half' }]);
  });
  it('announces each attempt before it counts it', async () => {
    const model = scripted(['a']);
    const forbid = (): never => {
      throw new Error('forbidden');
    };
    await expect(collect(model.respond(ask('q'), { onAttempt: forbid }))).rejects.toThrow('forbidden');
    expect(model.requests).toHaveLength(0);
  });
  it('waits at a gate, and honours an abort meanwhile', async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>(resolve => {
      open = resolve;
    });
    const model = scripted([{ text: 'a', wait: gate }, { wait: new Promise(() => {}) }]);
    const first = collect(model.respond(ask('q')));
    open();
    expect((await first).text).toBe('a');
    const controller = new AbortController();
    const second = collect(model.respond(ask('q'), { signal: controller.signal })).catch(
      (error: unknown) => error,
    );
    await Promise.resolve();
    controller.abort('enough');
    expect(await second).toBe('enough');
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});

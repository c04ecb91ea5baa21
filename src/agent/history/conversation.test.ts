import { describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import { tool } from '../../tools/tool.ts';
import { Agent } from '../agent.ts';
import type { RunEvent } from '../events.ts';
import { conversation } from './conversation.ts';

describe('a conversation', () => {
  it('goes on from what was said', async () => {
    const model = scripted(['hello', 'you are Ada']);
    const chat = conversation(new Agent({ model, instructions: 'be kind' }));
    await chat.run('I am Ada');
    const { output } = await chat.run('who am I?');
    expect(output).toBe('you are Ada');
    expect(model.requests[1]?.messages.map(message => message.content)).toEqual([
      'be kind',
      'I am Ada',
      'hello',
      'who am I?',
    ]);
    expect(chat.messages).toHaveLength(5);
  });

  it('is left as it was by a run that fails, and can go on', async () => {
    const model = scripted(['hello', new Error('down'), 'again']);
    const chat = conversation(new Agent({ model }));
    await chat.run('a');
    const before = chat.messages;
    await expect(chat.run('b')).rejects.toThrow('down');
    expect(chat.messages).toBe(before);
    await chat.run('c');
    expect(model.requests[2]?.messages.map(message => message.content)).toEqual(['a', 'hello', 'c']);
  });

  it('can be told as it happens, and begun from a history, which it does not touch', async () => {
    const history = Object.freeze([{ role: 'user', content: 'a' } as const]);
    const chat = conversation(new Agent({ model: scripted(['b']) }), { history });
    const events: RunEvent[] = [];
    const stream = chat.stream('c');
    for await (const event of stream) events.push(event);
    await stream.result;
    expect(events.at(-1)?.type).toBe('run-end');
    expect(chat.messages.map(message => message.content)).toEqual(['a', 'c', 'b']);
    expect(history).toHaveLength(1);
  });

  it('takes one prompt at a time', async () => {
    const chat = conversation(new Agent({ model: scripted(['a', 'b']) }));
    const first = chat.run('x');
    await expect(chat.run('y')).rejects.toThrow(/still busy/);
    expect(() => chat.stream('y')).toThrow(/still busy/);
    await first;
    await chat.run('y');
    expect(chat.messages).toHaveLength(4);
  });

  it('is left as it was by a run that is paused, and goes on from what it gives when it is resumed', async () => {
    const send = tool({ name: 'send', description: '', needsApproval: true, run: () => 'sent' });
    const model = scripted([{ toolCalls: [{ name: 'send' }] }, 'done', 'welcome']);
    const agent = new Agent({ model, tools: [send], pause: true });
    const chat = conversation(agent);
    const paused = await chat.run('send it');
    if (paused.paused !== true) throw new Error('it was not paused');
    expect(chat.messages).toEqual([]);
    await chat.resume(JSON.stringify(paused.state), { call_1: true });
    expect(chat.messages.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    await chat.run('thanks');
    expect(chat.messages).toHaveLength(6);
  });

  it('refuses what is no agent and no history', () => {
    expect(() => conversation({} as never)).toThrow(/must be an agent/);
    const agent = new Agent({ model: scripted([]) });
    expect(() => conversation(agent, { history: [5] as never })).toThrow(/history\[0\]/);
  });
});

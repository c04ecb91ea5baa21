import { describe, expect, it } from 'vitest';
import { answered, type Entry, inCall, sent, timelineOf, treeOf, words } from './fixtures/timeline.ts';

describe('the steps of a recording', () => {
  it('are grouped by call, also where calls run at the same time', () => {
    const timeline = timelineOf(
      [0, { type: 'call-start', call: 1, tool: 'consensus', arguments: { prompt: 'a' } }],
      [1, { type: 'call-start', call: 2, tool: 'react_loop', arguments: { prompt: 'b' } }],
      [2, inCall(1, { type: 'llm-start', call: 1, model: 'm' })],
      [3, inCall(2, { type: 'llm-start', call: 1, model: 'm' })],
      [4, inCall(1, { type: 'llm-start', call: 2, model: 'm' })],
      [5, inCall(2, { type: 'llm-end', call: 1, inputTokens: 5, outputTokens: 1, text: '' })],
      [6, inCall(2, { type: 'tool-start', id: 't', name: 'look', arguments: { at: 'sea' } })],
      [7, inCall(1, { type: 'llm-end', call: 2, inputTokens: 3, outputTokens: 1, text: 'two' })],
      [8, inCall(1, { type: 'llm-error', call: 1, error: 'ModelError', message: 'no key' })],
      [9, inCall(2, { type: 'tool-end', id: 't', name: 'look', isError: false, result: 'blue' })],
      [
        10,
        { type: 'call-end', call: 2, isError: false, result: { content: [{ type: 'text', text: 'Blue.' }] } },
      ],
      [11, inCall(1, { type: 'failure', error: { message: 'the model failed: no key' } })],
      [12, { type: 'call-end', call: 1, isError: true, error: { message: 'try again later' } }],
    );
    expect(treeOf(timeline)).toEqual([
      '✗ call consensus #1: the model failed: no key',
      '  ✗ model m: no key',
      '  model m: two',
      'call react_loop #2: prompt=b → Blue.',
      '  model m: calls look',
      '  tool look: at=sea → blue',
    ]);
    expect(timeline.totals).toMatchObject({ modelCalls: 3, toolCalls: 1, inputTokens: 8, outputTokens: 2 });
    expect(timeline.steps[3]).toMatchObject({ from: 1, to: 10 });
  });

  it('have what a call may spend, and that it goes on after a question', () => {
    const budget = {
      type: 'budget',
      call: { calls: 4 },
      process: { limits: { tokens: 9 }, spent: { calls: 1 } },
    };
    const { steps } = timelineOf(
      [0, { type: 'call-start', call: 1, tool: 'clerk', arguments: {}, resumed: false }],
      [1, inCall(1, budget)],
      [2, { type: 'call-end', call: 1, isError: false, asks: ['approval-1'] }],
      [5, { type: 'call-start', call: 2, tool: 'clerk', arguments: {}, resumed: true }],
      [6, { type: 'call-end', call: 2, isError: false, result: 'done' }],
    );
    expect(steps).toMatchObject([
      {
        title: 'clerk #1',
        said: 'asks its caller, and goes on later',
        details: { budget: { call: { calls: 4 } } },
      },
      { title: 'clerk #2, goes on', said: 'done' },
    ]);
  });

  it('join each request with its answer, and put it into the tool call that it was made for', () => {
    const timeline = timelineOf(
      [0, { type: 'run-start' }],
      [1, sent(1, 'tools/list')],
      [2, answered(1, { result: { tools: [] } })],
      [3, { type: 'tool-start', callId: 'a', tool: 'look', arguments: '{"at":"sea"}' }],
      [3, { type: 'tool-start', callId: 'b', tool: 'look', arguments: '{"at":"sky"}' }],
      [4, sent(2, 'tools/call', { name: 'look', arguments: { at: 'sky' } })],
      [5, sent(3, 'tools/call', { name: 'look', arguments: { at: 'sea' } })],
      [6, answered(3, words('wet', true))],
      [7, answered(2, words('blue'))],
      [8, { type: 'tool-end', callId: 'a', tool: 'look', result: 'wet', isError: true }],
      [8, { type: 'tool-end', callId: 'b', tool: 'look', result: 'blue', isError: false }],
      [9, sent(undefined, 'notifications/x')],
      [9, { type: 'run-end' }],
    );
    expect(treeOf(timeline)).toEqual([
      'run ',
      '  request → tools/list',
      '  ✗ tool look: wet',
      '    ✗ request → tools/call look: wet',
      '  tool look: at=sky → blue',
      '    request → tools/call look: at=sky → blue',
      '  notice → notifications/x',
    ]);
    expect(timeline.steps[3]).toMatchObject({ from: 5, to: 6 });
  });

  it('name servers only where there are several, and never mix up their ids', () => {
    const of = (server: string, id: number, entry: object) => ({ ...entry, server, id });
    const timeline = timelineOf(
      [0, of('a', 1, sent(1, 'ping'))],
      [1, of('b', 1, sent(1, 'ping'))],
      [2, of('b', 1, answered(1, { result: {} }))],
      [5, of('a', 1, answered(1, { error: { code: -32000, message: 'tired' } }))],
    );
    expect(timeline.steps).toMatchObject([
      { title: '→ a: ping', from: 0, to: 5, failed: true, said: 'tired' },
      { title: '→ b: ping', from: 1, to: 2, failed: false },
    ]);
  });

  it('do not count as failed what a server was only asked whether it has it', () => {
    const error = { code: -32601, message: 'Method not found' };
    const timeline = timelineOf(
      [0, sent(1, 'some/feature')],
      [1, answered(1, { error })],
      [2, sent(2, 'tools/call', { name: 'look' })],
      [3, answered(2, { error })],
    );
    expect(timeline.steps.map(({ failed }) => failed)).toEqual([false, true]);
  });

  it('say of a request whether it was cancelled, lost, or left alone at an orderly end', () => {
    const gone = { type: 'connection', server: 's', state: 'closed' };
    const asked = sent(1, 'x', { name: 'y' });
    const saidOf = (event: object, request = asked) => timelineOf([0, request], [9, event]).steps.at(0);
    expect(saidOf(sent(undefined, 'notifications/cancelled', { requestId: 1 }))).toMatchObject({
      failed: true,
      said: 'cancelled',
      to: 9,
    });
    const cancelled = sent(undefined, 'notifications/cancelled', { requestId: 1 });
    expect(saidOf(cancelled, sent(1, 'be/told'))).toMatchObject({ failed: false, said: 'cancelled' });
    const lost = { ...gone, state: 'unanswered', id: 1, error: { message: 'the stream broke' } };
    expect(saidOf(lost)).toMatchObject({ failed: true, said: 'the stream broke' });
    expect(saidOf({ ...gone, error: { reason: 'exited', message: 'code 3' } })).toMatchObject({
      failed: true,
    });
    expect(saidOf({ ...gone, error: { reason: 'closed', message: 'x' } })).toMatchObject({
      failed: false,
      to: 9,
    });
  });

  it('do not count as failed that changes are not watched any more, by whatever way that ends', () => {
    const asked: Entry = [0, sent(1, 'be/told', { notifications: { toolsListChanged: true } })];
    const exited = { reason: 'exited', message: 'code 0' };
    for (const [event, failed] of [
      [sent(undefined, 'notifications/cancelled', { requestId: 1 }), false],
      [{ type: 'connection', server: 's', state: 'unanswered', id: 1, error: { message: 'aborted' } }, false],
      [{ type: 'connection', server: 's', state: 'closed', error: exited }, false],
      [answered(1, { error: { code: -32000, message: 'not for you' } }), true],
    ] as const) {
      const { steps } = timelineOf(asked, [9, event]);
      expect(steps.find(({ kind }) => kind === 'request')).toMatchObject({ failed, to: 9 });
    }
  });

  it('show what an agent does inside of a tool, and what people are told on the way', () => {
    const of = { turn: 1, callId: 'a', tool: 'helper' };
    const timeline = timelineOf(
      [0, { type: 'prompt', prompt: 'Do it' }],
      [0, { type: 'run-start' }],
      [1, { type: 'server', server: { key: 'shop', state: 'connecting' } }],
      [
        3,
        { type: 'server', server: { key: 'shop', state: 'failed', error: { message: 'no such program' } } },
      ],
      [4, { type: 'tool-start', arguments: '{}', ...of }],
      [5, { type: 'delegated', event: { type: 'model-start', model: 'small' }, ...of }],
      [6, { type: 'delegated', event: { type: 'text-delta', text: 'inner' }, ...of }],
      [7, { type: 'delegated', event: { type: 'model-end', usage: { requests: 1 } }, ...of }],
      [8, { type: 'tool-progress', done: 1, total: 2, ...of }],
      [9, { type: 'tool-end', result: 'ok', isError: false, ...of }],
      [10, { type: 'approval', server: 'shop', tool: 'order', allowed: false, reason: 'too dear' }],
      [11, { type: 'output-rejected', message: 'no JSON' }],
      [12, { type: 'drop', server: 'shop', tool: 'odd', reason: 'no schema' }],
      [13, { type: 'diagnostic', server: 'shop', kind: 'stdout-noise', message: 'Hello' }],
      [14, { type: 'run-end' }],
    );
    expect(treeOf(timeline)).toEqual([
      'run Do it',
      '  ✗ server shop: no such program',
      '  tool helper: ok',
      '    model small: inner',
      '  note shop/order: denied: too dear',
      '  ✗ note the answer is not what was asked for: no JSON',
      '  note the tool shop/odd is left out: no schema',
      '  note shop: stdout-noise: Hello',
    ]);
    expect(timeline.steps[2]?.details).toMatchObject({ progress: [{ at: 8, done: 1, total: 2 }] });
  });
});

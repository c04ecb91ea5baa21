import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../agent/events.ts';
import type { ToolsetEvent } from '../../bridge/toolset/toolset-events.ts';
import { noUsage } from '../../models/model.ts';
import type { Terminal } from '../terminal.ts';
import { RunPrinter } from './run-printer.ts';

/** What the printer makes of one event, by the way out. */
function shown(print: (printer: RunPrinter) => void): readonly string[] {
  const said: string[] = [];
  const terminal: Terminal = {
    print: text => said.push(`out: ${text}`),
    write: text => said.push(`out: ${text}`),
    warn: text => said.push(`err: ${text}`),
    status: text => void (text !== '' && said.push(`now: ${text}`)),
    paint: (_style, text) => text,
  };
  const printer = new RunPrinter(terminal, true);
  print(printer);
  const events = said.slice();
  printer.end();
  return events;
}

const call = { turn: 1, callId: 'c', tool: 'order' };
const counts = { turns: 1, toolCalls: 0, rejectedCalls: 0, truncatedObservations: 0, truncatedResponses: 0 };
const silent: readonly string[] = [];

/** Every kind of event is here, or this does not compile. */
const ofRuns: {
  readonly [Type in RunEvent['type']]: readonly [Extract<RunEvent, { type: Type }>, readonly string[]];
} = {
  'run-start': [{ type: 'run-start' }, silent],
  'turn-start': [{ type: 'turn-start', turn: 1 }, silent],
  // Only after a moment, so that what comes at once does not flicker.
  'model-start': [{ type: 'model-start', turn: 1, model: 'm' }, silent],
  'model-end': [{ type: 'model-end', turn: 1, usage: noUsage }, silent],
  'text-delta': [{ type: 'text-delta', turn: 1, text: 'Hello' }, ['out: Hello']],
  'reasoning-delta': [{ type: 'reasoning-delta', turn: 1, text: 'Hm' }, silent],
  'tool-input-delta': [{ type: 'tool-input-delta', arguments: '{', ...call }, silent],
  'tool-call': [
    { type: 'tool-call', arguments: '{"dish":"soup"}', ...call },
    ['err: call order {"dish":"soup"}'],
  ],
  'tool-start': [{ type: 'tool-start', arguments: '{}', ...call }, silent],
  'tool-progress': [{ type: 'tool-progress', done: 1, total: 4, ...call }, ['now: order: 25%']],
  'tool-log': [
    { type: 'tool-log', level: 'warning', data: { low: true }, ...call },
    ['err: warning order: {"low":true}'],
  ],
  'tool-end': [
    { type: 'tool-end', result: 'done so', isError: false, ...call },
    ['err: done order: done so'],
  ],
  'output-rejected': [
    { type: 'output-rejected', turn: 1, attempt: 2, message: 'no JSON' },
    ['err: again: no JSON'],
  ],
  note: [{ type: 'note', turn: 1, code: 'c', message: 'cut' }, ['err: note: cut']],
  delegated: [{ type: 'delegated', event: { type: 'run-start' }, ...call }, silent],
  'run-paused': [{ type: 'run-paused', turn: 1, pending: [], usage: noUsage, counts }, silent],
  'run-end': [{ type: 'run-end', usage: noUsage, counts }, silent],
};

const tool = { server: 'shop', tool: 'order' };
const status = { key: 'shop', tools: 0, tokens: 0, since: 0 };
const drift = { ...tool, kind: 'changed', found: 'x', now: { ...tool, name: 'order' } } as unknown as Extract<
  ToolsetEvent,
  { type: 'drift' }
>['drift'];

const ofToolsets: {
  readonly [Type in ToolsetEvent['type']]: readonly [ToolsetEvent & { type: Type }, readonly string[]];
} = {
  server: [
    { type: 'server', server: { ...status, state: 'failed', error: new Error('no such program') } },
    ['err: the server shop cannot be used: no such program'],
  ],
  stale: [{ type: 'stale', server: 'shop' }, silent],
  change: [{ type: 'change', added: ['order'], removed: [], changed: [] }, silent],
  drop: [{ type: 'drop', ...tool, reason: 'no schema' }, ['err: the tool shop/order is left out: no schema']],
  drift: [
    { type: 'drift', drift, blocked: true },
    ['err: the tool shop/order is not what was approved, and is left out'],
  ],
  approval: [{ type: 'approval', ...tool, allowed: false }, silent],
  unmatched: [
    { type: 'unmatched', option: 'filter', pattern: 'odrer', reason: 'filter: "odrer" means no tool' },
    ['err: filter: "odrer" means no tool'],
  ],
  loaded: [{ type: 'loaded', tool: 'order' }, silent],
  unloaded: [{ type: 'unloaded', tool: 'order' }, silent],
};

describe('while a run goes on', () => {
  it.each(Object.entries(ofRuns))('%s is shown or deliberately not', (_type, [event, lines]) => {
    expect(shown(printer => printer.event(event))).toEqual(lines);
  });

  it.each(Object.entries(ofToolsets))(
    '%s of a toolset is shown or deliberately not',
    (_type, [event, lines]) => {
      expect(shown(printer => printer.server(event))).toEqual(lines);
    },
  );

  it.each(['debug', 'info', 'notice'] as const)('what a tool logs as %s is not', level => {
    expect(shown(printer => printer.event({ type: 'tool-log', level, data: 'x', ...call }))).toEqual([]);
  });
});

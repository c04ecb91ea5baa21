import { describe, expect, it } from 'vitest';
import type { ToolApprovalRequest } from '../../bridge/toolset/call-approval.ts';
import { makeAsker } from '../asking/asker.ts';
import type { Terminal } from '../terminal.ts';
import { approveAt } from './approvals.ts';

/** Who is asked types these lines. */
function approving(...lines: string[]) {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const terminal: Terminal = {
    print: say,
    write: say,
    warn: say,
    status() {},
    paint: (_style, text) => text,
  };
  const asker = makeAsker(terminal, async question => {
    said.push(question);
    return lines.shift();
  });
  const approval = approveAt(asker, asker.terminal);
  if (typeof approval === 'function') throw new Error('one call at a time needs the longer form');
  const ask = (tool: string, args: Record<string, unknown> = {}) => {
    const { signal } = new AbortController();
    const request: ToolApprovalRequest = {
      ...{ server: 'shop', tool, name: tool, arguments: args, annotations: undefined, signal },
    };
    return approval.ask(request);
  };
  return { ask, said };
}

const no = { allow: false, reason: 'the person at the terminal said no' };

describe('approving tools at the terminal', () => {
  it.each([
    [['y'], true],
    [[' YES '], true],
    [['a'], true],
    [['n'], no],
    [['no'], no],
    [[], no],
    [['', 'yep', 'true', '1', 'n'], no],
    [['', 'sure', 'y'], true],
  ])('takes %j for %j', async (lines, decision) => {
    expect(await approving(...lines).ask('order')).toEqual(decision);
  });

  it('remembers what always may run, by the very name', async () => {
    const { ask } = approving('a', 'n', 'n');
    expect(await ask('order')).toBe(true);
    expect(await ask('order')).toBe(true);
    expect(await ask('or\u200bder')).toEqual(no);
    expect(await ask('cancel')).toEqual(no);
  });

  it('hides nothing of a name and of arguments', async () => {
    const { ask, said } = approving('n');
    await ask('or\u200bder', { 'a\u202e': '\u001b[2J\u2028' });
    expect(said.slice(0, 2)).toEqual(['Run shop/or\\u{200b}der?', '  {"a\\u{202e}":"\\u001b[2J\\u{2028}"}']);
  });

  it('shows long arguments in full when asked to', async () => {
    const { ask, said } = approving('s', 'n');
    await ask('order', { text: `${'x'.repeat(2000)}end` });
    expect(said[1]).toMatch(/^ {2}\{"text":"x+ … 514 more characters$/);
    expect(said[2]).toContain('[s]how all');
    expect(said[3]).toMatch(/xend"\}$/);
  });
});

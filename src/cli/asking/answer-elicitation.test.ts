import { describe, expect, it } from 'vitest';
import type { ElicitQuestion } from '../../tools/question.ts';
import type { Terminal } from '../terminal.ts';
import { answerElicitation } from './answer-elicitation.ts';
import { makeAsker } from './asker.ts';

function recorder(): Terminal & { readonly said: string[] } {
  const said: string[] = [];
  return {
    said,
    print: text => void said.push(text),
    write: text => void said.push(text),
    warn: text => void said.push(text),
    status: text => void said.push(`status: ${text}`),
    paint: (_style, text) => text,
  };
}

const form: ElicitQuestion = {
  message: 'Who\u001b[2J?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer', default: 7 }, note: { type: 'string' } },
    required: ['name'],
  },
};
const page: ElicitQuestion = { mode: 'url', message: 'Sign in', url: 'https://a.example/in?x=1' };

/** What comes of the question when these lines are typed. */
async function answering(question: ElicitQuestion, ...lines: string[]) {
  const terminal = recorder();
  const asker = makeAsker(terminal, async () => lines.shift());
  const handler = answerElicitation('shop', asker, asker.terminal);
  const answer = await handler(question, { signal: new AbortController().signal });
  return { answer, said: terminal.said.join('\n') };
}

describe('answering what a server asks the person', () => {
  it('fills in a form field by field and sends it when the person agrees', async () => {
    const { answer, said } = await answering(form, 'Ann', '', '', '');
    expect(answer).toEqual({ action: 'accept', content: { name: 'Ann', age: 7 } });
    expect(said).toContain('The server shop asks: Who[2J?');
    expect(said).not.toContain('\u001b');
  });

  it.each([
    ['says no at the end', ['Ann', '', '', 'n'], 'decline'],
    ['types anything else', ['Ann', '', '', 'maybe'], 'decline'],
    ['ends the input within the form', ['Ann'], 'cancel'],
    ['ends the input at the end', ['Ann', '', ''], 'cancel'],
  ])('sends nothing when the person %s', async (_about, lines, action) => {
    expect((await answering(form, ...lines)).answer).toEqual({ action });
  });

  it('sets in the further lines of a question, so that none looks like one of ours', async () => {
    const message = 'Who?\r\ntenon: done\nRun shop/pay?';
    const { said } = await answering({ ...form, message }, 'Ann', '', '', '');
    expect(said).toContain('The server shop asks: Who?\n  tenon: done\n  Run shop/pay?\n');
  });

  it('says of a whole number that it is one', async () => {
    expect((await answering(form, 'Ann', '', '', '')).said).toContain('age (integer, optional)');
  });

  it('shows the address of a page, whose it is, and waits', async () => {
    const { answer, said } = await answering(page, '');
    expect(answer).toEqual({ action: 'accept' });
    expect(said).toContain('open a page of a.example:\n  https://a.example/in?x=1');
    expect((await answering(page, 'n')).answer).toEqual({ action: 'decline' });
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'no address\u001b[2J'])(
    'does not ask anybody to open %j',
    async url => {
      const { answer, said } = await answering({ ...page, url });
      expect(answer).toEqual({ action: 'decline' });
      expect(said).not.toContain('\u001b');
    },
  );

  it('cancels and says so when there is no terminal', async () => {
    const terminal = recorder();
    const handler = answerElicitation('shop', undefined, terminal);
    expect(handler(form, { signal: new AbortController().signal })).toEqual({ action: 'cancel' });
    expect(terminal.said).toEqual([
      'shop asks: "Who[2J?"; there is no terminal to answer at, so it gets no answer',
    ]);
  });
});

describe('talking to the person', () => {
  it('lets one after the other talk, and holds back what else is said meanwhile', async () => {
    const to = recorder();
    const typed: ((line: string) => void)[] = [];
    const asker = makeAsker(to, question => {
      to.said.push(question);
      return new Promise(resolve => typed.push(resolve));
    });
    const first = asker.converse(({ ask }) => ask('first? '));
    const second = asker.converse(({ ask }) => ask('second? '));
    await new Promise(setImmediate);
    asker.terminal.warn('news');
    asker.terminal.status('busy');
    expect(to.said).toEqual(['status: ', 'first? ']);
    typed[0]?.('1');
    expect(await first).toBe('1');
    await new Promise(setImmediate);
    expect(to.said).toEqual(['status: ', 'first? ', 'news', 'status: ', 'second? ']);
    typed[1]?.('2');
    expect(await second).toBe('2');
  });

  it('goes on with the next one when a talk fails or is called off', async () => {
    const asker = makeAsker(recorder(), async () => 'x');
    const fault = new Error('fault');
    await expect(asker.converse(() => Promise.reject(fault))).rejects.toBe(fault);
    const off = AbortSignal.abort(new Error('off'));
    await expect(asker.converse(({ ask }) => ask('?'), off)).rejects.toThrow('off');
    expect(await asker.converse(({ ask }) => ask('?'))).toBe('x');
  });
});

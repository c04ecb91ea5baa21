import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AskingServer, startAskingServer } from '../../../test/fixtures/asking-server.ts';
import {
  BrowserUnderTest,
  hasChromium,
  type PageLook,
  type PageUnderTest,
} from '../../../test/fixtures/browser.ts';
import { outcomeOf, useCommand } from '../../../test/fixtures/command.ts';
import { type Answer, startModelEndpoint } from '../../../test/fixtures/model-endpoint.ts';

const minutes = 60_000;
const key = 'sk-abcdefghijklmnop';

const tenon = useCommand();
let kitchen: AskingServer;
let browser: BrowserUnderTest;
beforeAll(async () => {
  if (!hasChromium) return;
  kitchen = await startAskingServer();
  browser = new BrowserUnderTest();
}, 5 * minutes);
afterEach(() => browser.closePages(), 5 * minutes);
afterAll(async () => {
  await Promise.all([browser?.close(), kitchen?.close()]);
}, 5 * minutes);

/** The real command runs with a prepared model and a real server, and records it. */
async function record(prompt: string, ...answers: readonly Answer[]): Promise<void> {
  const model = await startModelEndpoint(...answers);
  const args = ['run', prompt, '-s', kitchen.url, '--yes', '--record', 'run.jsonl'];
  await outcomeOf(tenon.start(args, model.environment));
  await model.close();
}

async function open(look?: PageLook): Promise<PageUnderTest> {
  const { code, err } = await tenon.run('trace', 'run.jsonl', '--page', 'run.html');
  expect([code, err]).toEqual([0, expect.any(String)]);
  return browser.open(join(tenon.folder, 'run.html'), look);
}

/** What is to be seen: the rows in the order of the page. */
const rows = (page: PageUnderTest) =>
  page.evaluate<
    { kind: string; title: string; said: string; took: string; left: number; width: number; top: number }[]
  >(`
  [...document.querySelectorAll('.step')].filter(step => step.checkVisibility()).map(step => {
    const text = name => step.querySelector(name).textContent;
    const bar = step.querySelector('.bar').getBoundingClientRect();
    return { kind: text('.what b'), title: text('.title'), said: text('.said'), took: text('.took'),
      left: bar.left, width: bar.width, top: bar.top };
  })`);

const soup: Answer = { tool: 'order', arguments: { dish: 'soup', size: 'small' } };
const failing: Answer = { tool: 'fail', arguments: {} };

describe.skipIf(!hasChromium)(
  'a trace page in a browser (skipped without chromium)',
  { timeout: 5 * minutes },
  () => {
    it('shows the steps of a recorded run in their order, with bars, tokens and what was said', async () => {
      await record(`Order a soup with ${key}`, soup, 'Your soup is on its way.');
      const page = await open();
      const shown = await rows(page);
      expect(shown.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
        'run Order a soup with ***',
        'server 127.0.0.1',
        'model openai:m',
        'tool order',
        'model openai:m',
      ]);
      expect(shown.map(({ said }) => said)).toEqual([
        'Your soup is on its way.',
        'kitchen',
        'calls order',
        expect.stringMatching(/^dish=soup size=small → ordered /),
        'Your soup is on its way.',
      ]);
      for (const [index, { width, left, top }] of shown.entries()) {
        expect(width).toBeGreaterThan(1);
        if (index === 0) continue;
        expect(left).toBeGreaterThanOrEqual((shown[index - 1]?.left ?? 0) - 0.5);
        expect(top).toBeGreaterThan(shown[index - 1]?.top ?? 0);
      }
      const text = await page.evaluate<string>('document.body.innerText');
      expect(text).toMatch(/Done in [\d.]+ m?s\n/);
      expect(text).toMatch(/model calls\s+2\s+tool calls\s+1\s+tokens in\s+2,000\s+tokens out\s+20\s/);
      expect(text).toContain('1,000 → 10 tokens');
    });

    it('holds no secret, asks for nothing but itself, and complains of nothing', async () => {
      await record(`Order a soup with ${key}`, soup, `Done with ${key}.`);
      const page = await open();
      const source = await page.evaluate<string>('document.documentElement.outerHTML');
      expect(source).not.toContain(key);
      // What the command was given as key of the model.
      expect(source).not.toContain('sk-of-mine');
      expect(page.requests).toEqual([expect.stringMatching(/^file:.*run\.html$/)]);
      expect(page.complaints).toEqual([]);
    });

    it('says at its head why a run failed, and leads to the step that did', async () => {
      await record('Order nothing', failing, failing, failing);
      const page = await open();
      const told = await page.evaluate<string>(`document.querySelector('.outcome').innerText`);
      expect(told).toMatch(
        /^Failed after .*\ntool "fail" failed after 3 attempts: out of stock\s+What failed inside:\s+at .*, 3 times tool fail$/,
      );
      const isSeen = `(() => {
      const { top, bottom } = document.querySelector('.outcome').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight / 2;
    })()`;
      expect(await page.evaluate(isSeen)).toBe(true);
      expect((await rows(page)).filter(({ kind }) => kind.startsWith('✗')).map(({ title }) => title)).toEqual(
        ['Order nothing', ...['fail', 'fail', 'fail']],
      );
      await page.click('.outcome a');
      expect(await page.evaluate(`document.querySelector(':target .title').textContent`)).toBe('fail');
      // It is open without a click.
      expect(await page.evaluate(`document.querySelector(':target .inside').innerText`)).toContain(
        'out of stock',
      );
    });

    it('opens and closes a step, and shows what is chosen', async () => {
      await record('Order a soup', soup, failing, 'Sorry.');
      const page = await open();
      const inside = (): Promise<string> =>
        page.evaluate(`(() => {
        const inside = document.querySelector('.step.tool .inside');
        return inside.checkVisibility() ? inside.innerText : '';
      })()`);
      const kinds = async (): Promise<string[]> =>
        (await rows(page)).map(({ kind }) => kind.replace('✗ ', ''));
      expect(await inside()).toBe('');
      await page.click('.step.tool summary');
      expect(await inside()).toMatch(
        /arguments\s*\{\s*"dish": "soup",\s*"size": "small"\s*\}\s*result\s*ordered/,
      );
      await page.click('.step.tool summary');
      expect(await inside()).toBe('');
      expect(await kinds()).not.toContain('request');
      await page.click('#show-request');
      expect(await kinds()).toContain('request');
      await page.click('#show-model');
      expect(await kinds()).not.toContain('model');
      await page.click('#only-failed');
      expect(new Set((await rows(page)).map(({ title }) => title))).toEqual(
        new Set(['fail', '→ tools/call fail']),
      );
      expect(page.complaints).toEqual([]);
    });

    it('is readable in light and dark, wide and narrow', async () => {
      await record(`Order ${'averyverylongword'.repeat(40)}`, soup, failing, `${'x'.repeat(3000)}\nSorry.`);
      for (const scheme of ['light', 'dark'] as const) {
        for (const width of [1280, 360]) {
          await checkLook(await open({ width, scheme }), `${scheme}, ${width} pixels`, scheme === 'dark');
        }
      }
    });

    async function checkLook(page: PageUnderTest, name: string, isDark: boolean): Promise<void> {
      await page.click('.step.tool summary');
      const facts = await page.evaluate<{ wide: number; faint: number; paper: number }>(`(() => {
      const light = color => {
        const [r, g, b] = color.match(/[\\d.]+/g).map(part => {
          const share = part / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return {
        wide: document.documentElement.scrollWidth - innerWidth,
        faint: light(getComputedStyle(document.querySelector('time')).color),
        paper: light(getComputedStyle(document.body).backgroundColor),
      };
    })()`);
      expect(facts.wide, name).toBeLessThanOrEqual(0);
      expect(facts.paper < 0.5, name).toBe(isDark);
      const [low = 0, high = 0] = [facts.faint, facts.paper].sort((a, b) => a - b);
      // The contrast that WCAG asks of texts.
      expect((high + 0.05) / (low + 0.05), name).toBeGreaterThanOrEqual(4.5);
    }

    it('of a hostile recording runs nothing of it, and is bounded', async () => {
      const attack = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script></style></pre>&lt;`;
      const strange = { toString: 1, valueOf: 1, toJSON: 1, __proto__: null };
      const event = (at: unknown, content: object): string =>
        JSON.stringify({ type: 'event', at, event: content });
      tenon.put(
        'run.jsonl',
        [
          { type: 'recording', version: 1, command: attack, started: attack },
          {
            type: 'message',
            at: 5,
            server: attack,
            direction: 'sent',
            message: { id: strange, method: attack, params: { name: attack } },
          },
          {
            type: 'message',
            at: 6,
            server: attack,
            direction: 'received',
            message: [null, 1, attack, { id: strange, error: { message: attack } }],
          },
        ]
          .map(line => JSON.stringify(line))
          .concat(
            event(1, { type: 'prompt', prompt: attack }),
            event(1, { type: 'run-start' }),
            event(2, { type: 'model-start', model: strange }),
            event(3, { type: 'text-delta', text: attack.repeat(100_000) }),
            event(4, { type: 'model-end', usage: { inputTokens: 'NaN', outputTokens: -1 }, error: strange }),
            event(4, { type: 'tool-start', callId: strange, tool: attack, arguments: attack }),
            event(3, { type: 'tool-end', callId: strange, tool: attack, result: attack, isError: true }),
            event(4, { type: '__proto__' }),
            event(4, { type: 'constructor' }),
            event(4, { type: 'call-start', call: strange, tool: strange, arguments: strange }),
            event(9, { type: 'run-end', error: { message: attack, cause: { message: attack } } }),
            // No lines of a recording.
            event('soon', { type: 'run-start' }),
            '{"type":"event","at":1e999,"event":{"type":"run-start"}}',
            '{'.repeat(1000),
            '\u0000\ufffd',
            'null',
          )
          .join('\n'),
      );
      const page = await open();
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(await page.evaluate(`document.querySelectorAll('img,script,main style').length`)).toBe(0);
      expect(page.requests).toHaveLength(1);
      expect(page.complaints).toEqual([]);
      const text = await page.evaluate<string>('document.body.innerText');
      expect(text).toContain('5 lines of the recording could not be read');
      expect(text).toContain('onerror="window.hacked=1"');
      expect(await page.evaluate('document.documentElement.outerHTML.length')).toBeLessThan(200_000);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });

    it('of ten megabytes in a hundred thousand steps is one that a browser can show', async () => {
      const lines = Array.from({ length: 100_000 }, (_, at) => {
        const message = { method: 'notifications/message', params: { data: `x${at}`.padEnd(20, '.') } };
        return JSON.stringify({ type: 'message', at, server: 's', direction: 'received', message });
      });
      const head = JSON.stringify({ type: 'recording', version: 1, command: 'tenon proxy', started: '' });
      tenon.put('run.jsonl', [head, ...lines].join('\n'));
      const page = await open();
      const shown = await rows(page);
      expect(shown.length).toBeGreaterThan(1000);
      expect(shown.at(-1)?.said).toBe('x99999..............');
      expect(await page.evaluate('document.body.innerText')).toMatch(/\d steps in the middle are left out/);
    });
  },
);

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ToolMessage } from '../../models/model.ts';
import { image, text } from '../../tools/content.ts';
import { presentResult } from './present-result.ts';
import { readMore } from './read-more.ts';

function result(content: ToolMessage['content'], more: Partial<ToolMessage> = {}): ToolMessage {
  return { role: 'tool', toolCallId: 'call_1', toolName: 'rows', content, ...more };
}

function handleIn(shown: unknown): string | undefined {
  return typeof shown === 'string' ? /the handle "([^"]+)"/.exec(shown)?.[1] : undefined;
}

it('reading to the end gives everything exactly once, in order, with any priorities and sizes', () => {
  const kinds = fc.constantFrom('lines', 'list', 'map', 'picture');
  const part = fc.record({
    kind: kinds,
    count: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 900 })),
    priority: fc.constantFrom(undefined, 0, 0.2, 0.5, 0.9, 1),
  });
  void fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 7 }),
      fc.integer({ min: 256, max: 5000 }),
      fc.boolean(),
      (parts, maxTokens, hasData) => {
        const words = (index: number, count: number): string[] =>
          Array.from({ length: count }, (_, n) => `w${index}x${n}x`);
        const data = words(parts.length, 300);
        const blocks = parts.map(({ kind, count, priority }, index) => {
          const extra = priority === undefined ? {} : { annotations: { priority } };
          const said = words(index, count);
          if (kind === 'picture') return image('AA==', `w${index}x0x`, extra);
          if (kind === 'lines') return text(said.join('\n'), extra);
          if (kind === 'list') return text(JSON.stringify(said), extra);
          return text(JSON.stringify(Object.fromEntries(said.map(word => [word, 1]))), extra);
        });
        const expected = parts
          .flatMap(({ kind, count }, index) => words(index, kind === 'picture' ? 1 : count))
          .concat(hasData ? data : []);
        const message = result(blocks, hasData ? { structuredContent: { data } } : {});
        const shown: string[][] = [];
        const look = (seen: ToolMessage): string | undefined => {
          const { content } = presentResult(seen, { maxTokens, readMore: 'read_more' });
          const all = JSON.stringify(content);
          shown.push(all.match(/w\d+x\d+x/g) ?? []);
          const last = typeof content === 'string' ? content : content.at(-1);
          return handleIn(typeof last === 'object' && last.type === 'text' ? last.text : last);
        };
        for (let handle = look(message); handle !== undefined; ) {
          const { content } = readMore([message], handle, { name: 'read_more', maxTokens });
          handle = look({ ...result([...content]), toolCallId: 'call_2', toolName: 'read_more' });
          expect(shown.length).toBeLessThan(500);
        }
        const [first = [], ...pages] = shown;
        const place = new Map(expected.map((word, index) => [word, index]));
        const inOrder = (said: readonly string[]): string[] =>
          said.toSorted((a, b) => (place.get(a) ?? -1) - (place.get(b) ?? -1));
        expect(first).toEqual(inOrder(first));
        expect(pages.flat()).toEqual(inOrder(pages.flat()));
        expect(inOrder([...first, ...pages.flat()])).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

import { describe, expect, it } from 'vitest';
import { image, text } from './content.ts';
import { isToolResult, toToolResult } from './result.ts';

describe('what run returned becomes a result', () => {
  it('text and blocks are content when no output is declared', () => {
    const block = image('AA==', 'image/png');
    expect(toToolResult('hi', false)).toEqual({ content: [text('hi')] });
    expect(toToolResult(block, false)).toEqual({ content: [block] });
    expect(toToolResult([text('a'), block], false)).toEqual({ content: [text('a'), block] });
  });
  it('nothing is a result without content', () => {
    expect(toToolResult(undefined, false)).toEqual({ content: [] });
    expect(toToolResult(undefined, true)).toEqual({ content: [] });
    expect(toToolResult(null, false)).toEqual({ content: [] });
  });
  it('every other value is data and its JSON', () => {
    expect(toToolResult({ n: 1 }, false)).toEqual({
      content: [text('{"n":1}')],
      structuredContent: { n: 1 },
    });
    expect(toToolResult([1, 2], false)).toEqual({ content: [text('[1,2]')], structuredContent: [1, 2] });
    expect(toToolResult([], false)).toEqual({ content: [text('[]')], structuredContent: [] });
    expect(toToolResult(0, false)).toEqual({ content: [text('0')], structuredContent: 0 });
  });
  it('with a declared output text, blocks and null are data too', () => {
    expect(toToolResult('hi', true)).toEqual({ content: [text('"hi"')], structuredContent: 'hi' });
    expect(toToolResult(null, true)).toEqual({ content: [text('null')], structuredContent: null });
    const block = text('a');
    expect(toToolResult([block], true).structuredContent).toEqual([block]);
  });
  it('a whole result stays as it is, and data without content becomes readable', () => {
    const whole = { content: [text('a')], structuredContent: { n: 1 }, isError: true, _meta: { k: 1 } };
    expect(toToolResult(whole, true)).toBe(whole);
    expect(toToolResult({ content: [], structuredContent: { n: 1 } }, true)).toEqual({
      content: [text('{"n":1}')],
      structuredContent: { n: 1 },
    });
    expect(toToolResult({ content: [] }, false)).toEqual({ content: [] });
  });
  it('a whole result may have blocks of unknown kinds, beside known ones or where it says whether it is an error', () => {
    const hologram = { type: 'hologram', beams: 3 };
    for (const whole of [
      { content: [hologram], isError: false },
      { content: [hologram, image('AA==', 'image/png')] },
      { content: [text('a'), hologram], structuredContent: { n: 1 } },
    ]) {
      expect(toToolResult(whole, false)).toBe(whole);
      expect(toToolResult(whole, true)).toBe(whole);
    }
    expect(isToolResult({ content: [hologram] })).toBe(false);
    expect(isToolResult({ content: [text('a'), 'b'] })).toBe(false);
    expect(isToolResult({ content: [text('a'), { beams: 3 }] })).toBe(false);
    expect(isToolResult({ content: ['a'], isError: false })).toBe(false);
  });

  it('an object that only resembles a result is data', () => {
    expect(isToolResult({ content: [], total: 3 })).toBe(false);
    expect(isToolResult({ content: ['a'] })).toBe(false);
    expect(toToolResult({ content: [], total: 3 }, false).structuredContent).toEqual({
      content: [],
      total: 3,
    });
  });
  it('says what cannot be written as JSON', () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(() => toToolResult(loop, false)).toThrow(/cannot be written as JSON/);
    expect(() => toToolResult(10n, false)).toThrow(/cannot be written as JSON/);
    expect(() => toToolResult(() => 1, true)).toThrow(/cannot be written as JSON/);
  });
});

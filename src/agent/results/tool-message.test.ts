import { describe, expect, it } from 'vitest';
import { image, text } from '../../tools/content.ts';
import { cutObservation, observeWithin, toContent, toObservation } from './tool-message.ts';

describe('what a message keeps of a result', () => {
  it('is text for a lone plain text, and the blocks for all else', () => {
    const noted = text('a', { annotations: { audience: ['user'] } });
    expect(toContent([])).toBe('');
    expect(toContent([text('a')])).toBe('a');
    expect(toContent([noted])).toEqual([noted]);
    expect(toContent([text('a'), text('b')])).toEqual([text('a'), text('b')]);
  });
  it('is the block itself where a text block has no text', () => {
    const odd = { type: 'text' } as never;
    expect(toContent([odd])).toEqual([odd]);
    expect(observeWithin({ content: [odd, text('abc')] }, 4)).toEqual({ content: '\nabc', cut: false });
    expect(cutObservation([odd, image('AA==', 'image/png')], 4).content).toEqual([
      text(''),
      image('AA==', 'image/png'),
    ]);
  });
  it('is a copy: what a tool does to its list later changes nothing', () => {
    const content = [text('a'), text('b')];
    const kept = toContent(content);
    content.pop();
    expect(kept).toHaveLength(2);
  });
  it('is all of it without a limit, and one cut text with the data in it within one', () => {
    const full = { content: 'two rows', structuredContent: { n: 2 } };
    expect(observeWithin(full, Number.POSITIVE_INFINITY)).toEqual({ ...full, cut: false });
    expect(observeWithin(full, 100)).toEqual({ content: 'two rows\n{"n":2}', cut: false });
    expect(observeWithin(full, 4)).toEqual({ content: 'two ', cut: true });
  });
});

describe('a result as plain text', () => {
  it('is text, line by line, when all of it is text', () => {
    expect(toObservation({ content: [text('a'), text('b')] })).toBe('a\nb');
    expect(toObservation({ content: [] })).toBe('');
  });
  it('is the blocks when some of it is not text', () => {
    const content = [text('a'), image('AA==', 'image/png')];
    expect(toObservation({ content })).toEqual(content);
  });
  it('has the data as JSON, once', () => {
    const structuredContent = { n: 1 };
    expect(toObservation({ content: [text('one row')], structuredContent })).toBe('one row\n{"n":1}');
    expect(toObservation({ content: [text('{ "n": 1 }')], structuredContent })).toBe('{ "n": 1 }');
    expect(toObservation({ content: [text('{"n":1}')], structuredContent })).toBe('{"n":1}');
  });
});

describe('cutting an observation', () => {
  it('leaves a short one alone', () => {
    expect(cutObservation('abc', 3)).toEqual({ content: 'abc', cut: false });
  });
  it('marks the cut within the limit', () => {
    const { content, cut } = cutObservation('a'.repeat(100), 20);
    expect(content).toHaveLength(20);
    expect(content).toMatch(/^a+… \[cut\]$/);
    expect(cut).toBe(true);
  });
  it('cuts plainly where the marker has no room', () => {
    expect(cutObservation('abcdefghij', 3)).toEqual({ content: 'abc', cut: true });
  });
  it('never splits a surrogate pair', () => {
    expect(cutObservation('a😀b', 2)).toEqual({ content: 'a', cut: true });
  });
  it('counts the text of all blocks, and keeps what is not text', () => {
    const picture = image('AA==', 'image/png');
    expect(cutObservation([text('abc'), picture, text('defgh'), text('ijk')], 5)).toEqual({
      content: [text('abc'), picture, text('de')],
      cut: true,
    });
  });
});

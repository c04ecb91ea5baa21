import { describe, expect, it } from 'vitest';
import { image, text } from '../tools/content.ts';
import { cutObservation, toObservation } from './tool-message.ts';

describe('what the model reads of a result', () => {
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

import { describe, expect, it } from 'vitest';
import { PartCollector } from '../collect.ts';
import type { Part } from '../model.ts';
import { chunk, usageMetadata } from './fixtures/replies.ts';
import { CandidateReader } from './stream.ts';

function readParts(chunks: readonly unknown[]): { parts: Part[]; reader: CandidateReader } {
  const reader = new CandidateReader('gemini:m', 'call_1');
  const parts = chunks.flatMap(one => [...reader.read(one)]);
  return { reader, parts: [...parts, ...reader.end()] };
}

function read(...chunks: readonly unknown[]): ReturnType<PartCollector['response']> {
  const { parts, reader } = readParts(chunks);
  const collector = new PartCollector();
  for (const part of parts) collector.add(part);
  collector.add({ type: 'usage', usage: { ...reader.usage, requests: 1 } });
  return collector.response();
}

const stop = { finishReason: 'STOP' };

describe('an answer', () => {
  it('is text and reasoning, piece by piece', () => {
    const { parts } = readParts([
      chunk([{ text: 'Hm', thought: true }]),
      chunk([{ text: '', thought: true }, { text: 'He' }]),
      chunk([{ text: 'llo' }, { text: '' }], stop),
    ]);
    expect(parts).toEqual([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'He' },
      { type: 'text', text: 'llo' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('calls tools side by side, with ids of ours where the model gives none or one twice', () => {
    const call = (more: object): object => ({ functionCall: { name: 't', ...more } });
    const { toolCalls, finish } = read(
      chunk([call({ args: { b: 1, a: [2] } }), call({ id: 'own', args: null })]),
      chunk([call({ id: 'own', args: {} }), call({ id: '' })], stop),
    );
    expect(toolCalls).toEqual([
      { id: 'call_1_0', name: 't', arguments: '{"b":1,"a":[2]}' },
      { id: 'own', name: 't', arguments: '{}' },
      { id: 'call_1_2', name: 't', arguments: '{}' },
      { id: 'call_1_3', name: 't', arguments: '{}' },
    ]);
    expect(finish).toBe('tool-calls');
  });

  it('is the first candidate, whatever stands beside it', () => {
    const other = { index: 1, content: { parts: [{ text: 'no' }] } };
    const first = { index: 0, content: { parts: [{ text: 'yes' }] } };
    expect(read({ candidates: [other, first] }, { candidates: [other] }).text).toBe('yes');
  });

  it('counts thoughts as output, tools of the server as input, and takes the last count of each kind', () => {
    expect(
      read(
        chunk([{ text: 'a' }], { usageMetadata: { promptTokenCount: 7, toolUsePromptTokenCount: 4 } }),
        chunk([{ text: 'b' }], { usageMetadata: { candidatesTokenCount: 1, thoughtsTokenCount: 2 } }),
        { usageMetadata: { candidatesTokenCount: 3, cachedContentTokenCount: 3 } },
      ).usage,
    ).toEqual({ inputTokens: 11, outputTokens: 5, cachedInputTokens: 3, reasoningTokens: 2, requests: 1 });
    expect(read(chunk([], { usageMetadata })).usage).toMatchObject({ inputTokens: 7, outputTokens: 5 });
    expect(read(chunk([])).usage).toEqual({ inputTokens: 0, outputTokens: 0, requests: 1 });
  });
});

describe('the turn that goes back', () => {
  it('is not there when text and calls say all of it', () => {
    const parts = [{ text: 'Hm', thought: true }, { text: 'a' }, { functionCall: { id: '1', name: 't' } }];
    expect(read(chunk(parts, stop))).not.toHaveProperty('replay');
  });

  it('has the signed parts as they came, and pieces of one text as one', () => {
    const call = { functionCall: { name: 't', args: {} }, thoughtSignature: 'c2ln' };
    const { replay } = read(
      chunk([{ text: 'H', thought: true }]),
      chunk([{ text: 'm', thought: true }, { text: 'a' }]),
      chunk([{ text: 'b' }, { text: '' }, call]),
      chunk([{ text: 'c' }, { text: 'd', thoughtSignature: 'ZA==' }]),
      chunk([{ text: '', thoughtSignature: 'ZW5k' }], stop),
    );
    expect(replay).toEqual({
      provider: 'gemini',
      items: [
        { text: 'Hm', thought: true },
        { text: 'ab' },
        call,
        { text: 'c' },
        { text: 'd', thoughtSignature: 'ZA==' },
        { text: '', thoughtSignature: 'ZW5k' },
      ],
    });
  });

  it('keeps what is not shown, and says so once', () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' } };
    const { replay, notes, text } = read(chunk([code, { text: 'a' }, code], stop));
    expect(replay?.items).toEqual([code, { text: 'a' }, code]);
    expect(text).toBe('a');
    expect(notes).toEqual([
      {
        code: 'parts-not-shown',
        message: 'parts of the model are kept for its next turn but not shown: executableCode',
      },
    ]);
  });
});

describe('an answer ends', () => {
  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'refusal'],
    ['RECITATION', 'refusal'],
    ['BLOCKLIST', 'refusal'],
    ['PROHIBITED_CONTENT', 'refusal'],
    ['SPII', 'refusal'],
    ['LANGUAGE', 'refusal'],
    ['IMAGE_SAFETY', 'refusal'],
    ['OTHER', 'other'],
    ['TOO_MANY_TOOL_CALLS', 'other'],
    ['SOMETHING_NEW', 'other'],
  ])('for %s as %s', (finishReason, finish) => {
    const response = read(chunk([{ text: 'a' }], { finishReason }));
    expect(response.finish).toBe(finish);
    expect(response.notes).toHaveLength(finish === 'stop' || finish === 'length' ? 0 : 1);
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MALFORMED_RESPONSE'])(
    'in %s as a failure that may pass',
    finishReason => {
      const finishMessage = 'print(add(1';
      const reader = new CandidateReader('gemini:m', 'call_1');
      const failing = (): unknown => [
        ...reader.read(chunk([], { finishReason, finishMessage, usageMetadata })),
      ];
      expect(failing).toThrow(
        expect.objectContaining({
          kind: 'server',
          retryable: true,
          message: `gemini:m gave up an answer of its model as ${finishReason}: print(add(1`,
        }),
      );
      expect(reader.usage.inputTokens).toBe(7);
    },
  );

  it('in a block with a note that names the reason and the categories', () => {
    const safetyRatings = [
      { category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'HIGH' },
      { category: 'HARM_CATEGORY_HARASSMENT', probability: 'MEDIUM', blocked: true },
      { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'NEGLIGIBLE' },
    ];
    expect(read(chunk(undefined, { finishReason: 'SAFETY', safetyRatings })).notes).toEqual([
      { code: 'blocked', message: 'the response was blocked for SAFETY (HARM_CATEGORY_HARASSMENT)' },
    ]);
  });

  it('before it begins when the prompt is blocked', () => {
    const safetyRatings = [{ category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'HIGH' }];
    const promptFeedback = { blockReason: 'SAFETY', blockReasonMessage: 'No.', safetyRatings };
    const { reader, parts } = readParts([{ promptFeedback, usageMetadata }]);
    expect(reader).toMatchObject({ answered: true, finished: true, usage: { inputTokens: 7 } });
    expect(parts).toEqual([
      {
        type: 'note',
        code: 'blocked',
        message: 'the prompt was blocked for SAFETY (HARM_CATEGORY_HATE_SPEECH): No.',
      },
      { type: 'finish', reason: 'refusal' },
    ]);
  });

  it('not yet without a reason', () => {
    const { reader } = readParts([chunk([{ text: 'a' }]), chunk([], { finishReason: '' })]);
    expect(reader).toMatchObject({ answered: true, finished: false, done: false });
  });
});

it('counts that are none are told, and what is told anew is not', () => {
  const odd = chunk([], { usageMetadata: { promptTokenCount: -1, candidatesTokenCount: '4' } });
  const { reader } = readParts([{ usageMetadata: 3 }, odd]);
  expect(reader.uncounted).toEqual(['usageMetadata is number', 'promptTokenCount is -1']);
  expect(reader.usage).toEqual({ inputTokens: 0, outputTokens: 4 });
  expect(readParts([odd, { usageMetadata: { promptTokenCount: 7 } }]).reader).toMatchObject({
    uncounted: [],
    usage: { inputTokens: 7, outputTokens: 4 },
  });
});

describe('what makes no sense is named', () => {
  it.each([
    [[], /a chunk is not a JSON object/],
    [{ candidates: {} }, /"candidates" is not a list/],
    [{ candidates: [1] }, /a candidate is not a JSON object/],
    [chunk([1 as unknown as object]), /a part is not a JSON object/],
    [{ candidates: [{ content: { parts: 'x' } }] }, /"parts" is not a list/],
    [chunk([{ functionCall: 't' }]), /a function call is not a JSON object/],
    [chunk([{ functionCall: { args: {} } }]), /a function call has no name/],
  ])('%j', (odd, message) => {
    expect(() => readParts([odd])).toThrow(message);
  });

  it.each([[{}], [{ candidates: [] }], [{ candidates: null }], [{ promptFeedback: { safetyRatings: [] } }]])(
    'except %j, which is just no answer',
    empty => {
      expect(readParts([empty]).reader).toMatchObject({ answered: false, finished: false });
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import { PartCollector, toAssistantMessage } from '../collect.ts';
import type { AssistantMessage } from '../model.ts';
import { isModelError } from '../model-error.ts';
import { toContents } from './contents.ts';
import { CandidateReader } from './stream.ts';

const projection = projectTools([], 'gemini');
const words = fc.constantFrom('', 'a', 'some words');
const signature = { thoughtSignature: fc.constantFrom('c2ln', 'bmF0dXJl') };
const call = fc.record(
  { name: fc.constantFrom('add', 'look.up'), args: fc.dictionary(words, fc.jsonValue()), id: words },
  { requiredKeys: ['name'] },
);
const part = fc.oneof(
  fc.record({ text: words, thought: fc.constant(true), ...signature }, { requiredKeys: ['text'] }),
  fc.record({ functionCall: call, ...signature }, { requiredKeys: ['functionCall'] }),
  fc.record({ executableCode: fc.record({ code: words }) }),
);
type ModelPart = typeof part extends fc.Arbitrary<infer Value> ? Value : never;

function readTurn(chunks: readonly (readonly ModelPart[])[]): AssistantMessage {
  const reader = new CandidateReader('gemini:m', 'call_1');
  const collector = new PartCollector();
  for (const parts of chunks) {
    for (const read of reader.read({ candidates: [{ content: { role: 'model', parts } }] }))
      collector.add(read);
  }
  for (const rest of reader.end()) collector.add(rest);
  return toAssistantMessage(collector.response());
}

function goBack(message: AssistantMessage): readonly object[] {
  const messages = [{ role: 'user', content: 'x' } as const, message];
  return toContents(messages, { projection, takesMedia: true })[1]?.parts ?? [];
}

const textIn = (parts: readonly object[]): string =>
  parts.flatMap(one => ('text' in one && !('thought' in one) ? [one.text] : [])).join('');
const callsIn = (parts: readonly object[]): unknown[] =>
  parts.flatMap(one => ('functionCall' in one ? [(one.functionCall as { name: unknown }).name] : []));
const signedIn = (parts: readonly object[]): readonly object[] =>
  parts.filter(one => 'thoughtSignature' in one && one.thoughtSignature !== undefined);

describe('a turn of the model', () => {
  it('goes back with its words, calls and signed parts as they came, however it was cut', () => {
    // As it comes out of JSON, where there is no -0.
    const turn = fc
      .array(part, { maxLength: 8 })
      .map(parts => JSON.parse(JSON.stringify(parts)) as ModelPart[]);
    fc.assert(
      fc.property(turn, fc.array(fc.nat(8), { maxLength: 3 }), (parts, cuts) => {
        const edges = [
          0,
          ...cuts.map(cut => Math.min(cut, parts.length)).sort((a, b) => a - b),
          parts.length,
        ];
        const chunks = edges.slice(1).map((edge, index) => parts.slice(edges[index], edge));
        const message = readTurn(chunks);
        const back = goBack(message);
        expect(message).toEqual(readTurn([parts]));
        expect(textIn(back)).toBe(textIn(parts));
        expect(callsIn(back)).toEqual(callsIn(parts));
        expect(signedIn(back)).toEqual(signedIn(parts));
        expect(goBack(JSON.parse(JSON.stringify(message)) as AssistantMessage)).toEqual(back);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('whatever JSON comes as a chunk', () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.record({ candidates: fc.array(fc.record({ content: fc.jsonValue(), finishReason: fc.jsonValue() })) }),
    fc.record({
      candidates: fc.tuple(fc.record({ content: fc.record({ parts: fc.array(fc.jsonValue()) }) })),
    }),
    fc.record({ promptFeedback: fc.jsonValue(), usageMetadata: fc.jsonValue() }),
    fc.record({
      promptFeedback: fc.record({ blockReason: fc.string(), safetyRatings: fc.jsonValue() }),
      usageMetadata: fc.dictionary(fc.constantFrom('promptTokenCount', 'thoughtsTokenCount'), fc.jsonValue()),
    }),
  );

  it('is read or named as what makes no sense, and counts stay countable', () => {
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 4 }), chunks => {
        const reader = new CandidateReader('gemini:m', 'call_1');
        try {
          for (const chunk of chunks)
            for (const read of reader.read(chunk)) expect(read.type).toBeTypeOf('string');
          expect([...reader.end()].at(-1)?.type).toBe('finish');
        } catch (error) {
          if (!isModelError(error) || error.kind !== 'decode') throw error;
        }
        expect(Number.isInteger(reader.usage.inputTokens) && reader.usage.inputTokens >= 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

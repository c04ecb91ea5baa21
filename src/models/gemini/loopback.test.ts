import { isObject } from '../../basics/json.ts';
import { eventStream } from '../fixtures/loopback-server.ts';
import { pictureData, providerSuite } from '../fixtures/provider-suite.ts';
import { chunk, failure, usageMetadata } from './fixtures/replies.ts';
import { gemini } from './index.ts';

const hello = chunk([{ text: 'Hello ' }]);
const there = chunk([{ text: 'there' }], { finishReason: 'STOP', usageMetadata });

providerSuite({
  name: 'gemini',
  // A name that says what the model can do.
  make: options => gemini({ ...options, model: 'gemini-3-flash' }),
  replies: {
    text: { json: chunk([{ text: 'Hello there' }], { finishReason: 'STOP', usageMetadata }) },
    streamedText: { events: eventStream([hello, there]) },
    streamedCalls: ({ add, lookUp }) => ({
      events: eventStream([
        chunk([{ functionCall: { name: add, args: { a: 1 } }, thoughtSignature: 'c2lnbmVk' }]),
        chunk([{ functionCall: { name: lookUp, args: { q: 'x' } } }], { finishReason: 'STOP' }),
      ]),
    }),
    output: { json: chunk([{ text: '{"city":"Bern"}' }], { finishReason: 'STOP', usageMetadata }) },
    cut: { events: eventStream([hello]), cut: true },
    malformed: { events: eventStream([hello, '{"candidates":[{']) },
    refusal: {
      events: eventStream([
        chunk([{ text: 'I' }]),
        chunk(undefined, {
          finishReason: 'SAFETY',
          safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'HIGH', blocked: true }],
        }),
      ]),
    },
    failure,
  },
  imageIn: body => {
    const [, , answers] = body['contents'] as { parts: { functionResponse: unknown }[] }[];
    return answers?.parts[0]?.functionResponse;
  },
  expectedImage: {
    id: 'call_1',
    name: 'add',
    response: { output: 'here\n[image, image/png: artifact call_1#1]' },
    parts: [{ inlineData: { mimeType: 'image/png', data: pictureData } }],
  },
  refused: {
    request: {
      output: {
        name: 'o',
        schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      },
    },
    message: 'Invalid value at generation_config.response_schema: too many states',
    code: 'response-schema-dropped',
    isIn: body => JSON.stringify(body).includes('responseSchema'),
  },
  outputIn: body => {
    const config = body['generationConfig'];
    return isObject(config) ? config['responseSchema'] : undefined;
  },
  toolNamesIn: body => {
    const [tool] = body['tools'] as { functionDeclarations: { name: string }[] }[];
    return tool?.functionDeclarations.map(({ name }) => name) ?? [];
  },
});

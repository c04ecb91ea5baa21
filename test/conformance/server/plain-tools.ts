/** Tools that answer at once: every kind of content, a failure, a schema that must arrive unchanged. */
import { audio, embed, image, ToolError, text, tool } from 'tenon/server';
import { pixel, silence } from './samples.ts';

/** Stands first in the list: the suite calls whatever stands there without arguments. */
export const simpleText = tool({
  name: 'test_simple_text',
  description: 'Answers with a line of text.',
  run: () => 'This is a simple text response for testing.',
});

const schemaWithEveryKeyword = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

export const plainTools = [
  tool({
    name: 'test_image_content',
    description: 'Answers with an image.',
    run: () => image(pixel, 'image/png'),
  }),
  tool({
    name: 'test_audio_content',
    description: 'Answers with a sound.',
    run: () => audio(silence, 'audio/wav'),
  }),
  tool({
    name: 'test_embedded_resource',
    description: 'Answers with an embedded resource.',
    run: () =>
      embed({
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      }),
  }),
  tool({
    name: 'test_multiple_content_types',
    description: 'Answers with text, an image and a resource.',
    run: () => [
      text('Multiple content types test:'),
      image(pixel, 'image/png'),
      embed({
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      }),
    ],
  }),
  tool({
    name: 'test_error_handling',
    description: 'Fails in a way that the caller can read.',
    run: () => {
      throw new ToolError('This tool intentionally returns an error for testing');
    },
  }),
  tool({
    name: 'json_schema_2020_12_tool',
    description: 'Takes arguments described with the keywords of JSON Schema 2020-12.',
    input: schemaWithEveryKeyword,
    run: args => `Received ${JSON.stringify(args)}`,
  }),
  tool({
    name: 'test_x_mcp_header',
    description: 'Takes an argument that also travels as a header.',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
    run: ({ region }) => `Region: ${region ?? 'none'}`,
  }),
  tool({
    name: 'test_missing_capability',
    description: 'Needs a client with a model.',
    requires: { sampling: {} },
    run: () => 'The client has a model.',
  }),
];

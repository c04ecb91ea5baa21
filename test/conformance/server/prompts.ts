/** Prompts: plain, with arguments, with a resource, with an image, and one that asks first. */
import { embed, image, prompt } from 'tenon/server';
import { pixel } from './samples.ts';

export const prompts = [
  prompt({
    name: 'test_simple_prompt',
    description: 'A prompt without arguments.',
    get: () => 'This is a simple prompt for testing.',
  }),
  prompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt that repeats its arguments.',
    arguments: [
      { name: 'arg1', description: 'The first argument.', required: true },
      { name: 'arg2', description: 'The second argument.', required: true },
    ],
    complete: { arg1: ['test value', 'another value'] },
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  prompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that holds a resource.',
    arguments: [{ name: 'resourceUri', description: 'The resource to embed.', required: true }],
    get: ({ resourceUri }) => [
      {
        role: 'user',
        content: embed({
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        }),
      },
      { role: 'user', content: 'Please process the embedded resource above.' },
    ],
  }),
  prompt({
    name: 'test_prompt_with_image',
    description: 'A prompt that holds an image.',
    get: () => [
      { role: 'user', content: image(pixel, 'image/png') },
      { role: 'user', content: 'Please analyze the image above.' },
    ],
  }),
  prompt({
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks what it is about.',
    get: async (_args, ctx) => {
      const { content } = await ctx.elicit('user_context', {
        message: 'What is it about?',
        requestedSchema: { type: 'object', properties: { context: { type: 'string' } } },
      });
      return `Please help with this: ${content?.['context'] ?? 'something'}`;
    },
  }),
];

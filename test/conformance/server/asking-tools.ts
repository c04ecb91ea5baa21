/** Tools that ask once and say what they were told: a model, a person, a form with defaults, a form with choices. */
import { type ToolContext, tool } from 'tenon/server';

const nothing = { type: 'object', properties: {} } as const;

/** The forms in which a choice can be offered, each under the name that the suite looks for. */
const everyChoice = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'value1', title: 'First Choice' },
          { const: 'value2', title: 'Second Choice' },
          { const: 'value3', title: 'Third Choice' },
        ],
      },
    },
  },
  required: [],
} as const;

const everyDefault = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  required: [],
} as const;

async function fill(ctx: ToolContext, message: string, requestedSchema: object): Promise<string> {
  const { action, content } = await ctx.elicit('form', { message, requestedSchema: { ...requestedSchema } });
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`;
}

export const askingTools = [
  tool({
    name: 'test_sampling',
    description: 'Asks the model of the client.',
    input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    run: async ({ prompt }, ctx) => {
      const { content } = await ctx.sample('answer', {
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      const said = 'text' in content ? content.text : JSON.stringify(content);
      return `LLM response: ${said}`;
    },
  }),
  tool({
    name: 'test_elicitation',
    description: 'Asks the person at the client.',
    input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: async ({ message }, ctx) => {
      const { action, content } = await ctx.elicit('answer', {
        message,
        requestedSchema: {
          type: 'object',
          properties: { username: { type: 'string' }, email: { type: 'string' } },
          required: ['username', 'email'],
        },
      });
      return `User response: action: ${action}, content: ${JSON.stringify(content ?? {})}`;
    },
  }),
  tool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks for a form whose fields are filled already.',
    input: nothing,
    run: (_args, ctx) => fill(ctx, 'Please check what is filled in', everyDefault),
  }),
  tool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks for choices in every form.',
    input: nothing,
    run: (_args, ctx) => fill(ctx, 'Please choose', everyChoice),
  }),
];

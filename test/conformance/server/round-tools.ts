/** Tools whose questions may take several rounds: one of each kind, all at once, one after another, sealed. */
import { type ToolContext, tool } from 'tenon/server';

const askName = {
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
} as const;

const askCapital = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
  maxTokens: 100,
} as const;

function askStep(step: number): Parameters<ToolContext['elicit']>[1] {
  return {
    message: `Step ${step}: what do you say?`,
    requestedSchema: { type: 'object', properties: { said: { type: 'string' } } },
  };
}

/** What was filled in under the only field of a form, or what was done instead. */
async function told(answer: ReturnType<ToolContext['elicit']>): Promise<string> {
  const { action, content } = await answer;
  const [value] = Object.values(content ?? {});
  return action === 'accept' ? String(value) : action;
}

export const roundTools = [
  tool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name.',
    run: async (_args, ctx) => `Hello, ${await told(ctx.elicit('user_name', askName))}!`,
  }),
  tool({
    name: 'test_input_required_result_sampling',
    description: 'Asks the model of the client.',
    run: async (_args, ctx) => {
      const { content } = await ctx.sample('capital_question', askCapital);
      return `The model said ${JSON.stringify(content)}`;
    },
  }),
  tool({
    name: 'test_input_required_result_list_roots',
    description: 'Asks for the folders of the client.',
    run: async (_args, ctx) => {
      const roots = await ctx.roots('client_roots');
      return `Roots: ${roots.map(({ uri }) => uri).join(', ')}`;
    },
  }),
  tool({
    name: 'test_input_required_result_request_state',
    description: 'Asks for a confirmation.',
    run: async (_args, ctx) => `state-ok: ${await told(ctx.elicit('confirm', askStep(1)))}`,
  }),
  tool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks the person, the model and for folders at the same time.',
    run: async (_args, ctx) => {
      const [name, sampled, roots] = await Promise.all([
        told(ctx.elicit('user_name', askName)),
        ctx.sample('capital_question', askCapital),
        ctx.roots('client_roots'),
      ]);
      return `${name}, ${sampled.model}, ${roots.length} roots`;
    },
  }),
  tool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice, the second time for what depends on the first.',
    run: async (_args, ctx) => {
      const first = await told(ctx.elicit('step1', askStep(1)));
      const second = await told(ctx.elicit('step2', askStep(2)));
      return `${first}, then ${second}`;
    },
  }),
  tool({
    name: 'test_input_required_result_tampered_state',
    description: 'Asks for a confirmation and trusts no state that it did not seal.',
    run: async (_args, ctx) => `Confirmed: ${await told(ctx.elicit('confirm', askStep(1)))}`,
  }),
  tool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client can answer.',
    run: async (_args, ctx) => {
      const { capabilities } = ctx.client;
      if (capabilities['sampling'] !== undefined) {
        const { model } = await ctx.sample('capital_question', askCapital);
        return `Asked ${model}`;
      }
      if (capabilities['elicitation'] === undefined) return 'There is nobody to ask.';
      return told(ctx.elicit('user_name', askName));
    },
  }),
];

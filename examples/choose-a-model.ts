/** One question to models of several providers. The answers are prepared here in each provider's words; nothing is sent. */
// #region openai
import { Agent } from 'tenon';
import { openai } from 'tenon/models/openai';
// #endregion

// #region anthropic
import { anthropic } from 'tenon/models/anthropic';
// #endregion
// #region gemini
import { gemini } from 'tenon/models/gemini';
// #endregion

const question = 'Which city is the capital of Switzerland?';
const answers: Readonly<Record<string, unknown>> = {
  'api.openai.com': {
    choices: [{ message: { role: 'assistant', content: 'Bern.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 2 },
  },
  'api.anthropic.com': {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Bern.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 9, output_tokens: 2 },
  },
  'generativelanguage.googleapis.com': {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Bern.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2 },
  },
};
globalThis.fetch = (async (url: string) => Response.json(answers[new URL(url).host])) as typeof fetch;

// #region openai
const gpt = openai({
  baseUrl: 'https://api.openai.com/v1',
  model: 'gpt-5',
  apiKey: process.env['OPENAI_API_KEY'],
});
const { output, usage } = await new Agent({ model: gpt }).run(question);
// #endregion
console.log(`${gpt.name}: ${output} (${usage.inputTokens} tokens in, ${usage.outputTokens} out)`);

// #region anthropic
const opus = anthropic({ model: 'claude-opus-5', apiKey: process.env['ANTHROPIC_API_KEY'], cache: true });
// #endregion
// #region gemini
const flash = gemini({ model: 'gemini-3-flash', apiKey: process.env['GEMINI_API_KEY'] });
// #endregion
for (const model of [opus, flash]) {
  const answer = await new Agent({ model }).run(question);
  console.log(`${model.name}: ${answer.output} (${answer.usage.inputTokens} tokens in)`);
}

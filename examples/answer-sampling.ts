/** A server that asks for the client's model, and a client that lends it: behind a gate and within bounds. */
// #region answer
import { connect, Server, tool } from 'tenon';
import { answerSampling } from 'tenon/bridge';
// #endregion
import { scripted } from 'tenon/testing';

const summarize = tool({
  name: 'summarize',
  description: 'Sums up the notes of the workshop.',
  async run(_args, { sample }) {
    const { content, model } = await sample('summary', {
      messages: [{ role: 'user', content: { type: 'text', text: 'Sum up: oak came, ash is late.' } }],
      maxTokens: 100,
    });
    return `${model} says: ${JSON.stringify(content)}`;
  },
});
const server = new Server({ name: 'notes', version: '1.0.0', tools: [summarize] });
const model = scripted(['Oak is here, ash is not.']);

/** Stands for a dialog. */
const askPerson = async (question: string): Promise<boolean> => {
  console.log(`${question} yes`);
  return true;
};

// #region answer
const client = await connect(server, {
  onSample: answerSampling(model, {
    approve: ({ question, maxTokens }) =>
      askPerson(`May the server ask your model (${question.messages.length} messages, ${maxTokens} tokens)?`),
    maxTokens: 1_000,
    maxRequests: 20,
  }),
});
// #endregion
const { content } = await client.call('summarize');
await client.close();
console.log(content);

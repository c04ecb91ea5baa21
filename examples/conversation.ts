/** A conversation that is saved, read back in another process, and stays short: old exchanges become a summary. */
import { Agent } from 'tenon';
import { conversation, loadHistory, saveHistory } from 'tenon/agent';
import { scripted } from 'tenon/testing';

const model = scripted(['Hello Ada.', 'Noted: no fish.', 'Then I would take the lentils, Ada.']);
const small = new Agent({ model: scripted(['The user is Ada.']) });

// #region trim
const agent = new Agent({
  model,
  // The model is shown the newest exchanges and a summary of the others; the transcript stays whole.
  trim: { maxMessages: 3 },
  async summarize(dropped, { signal }) {
    const { output, usage } = await small.run('Sum this up.', { history: dropped, signal });
    return { text: output, usage };
  },
});
// #endregion

// #region save
const chat = conversation(agent);
await chat.run('I am Ada.');
await chat.run('I eat no fish.');
const saved = saveHistory(chat.messages);
// #endregion

// #region load
const later = conversation(agent, { history: loadHistory(saved) });
const { output } = await later.run('What should I have for lunch?');
// #endregion

console.log(output);
console.log(`${later.messages.length} messages, of which the model was shown:`);
for (const { role, content } of model.requests.at(-1)?.messages ?? [])
  console.log(`  ${role}: ${String(content)}`);

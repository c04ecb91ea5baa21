/** Two tools that ask the person at the client: one awaits the answer, one says what it needs and is run again. */
import { connect } from 'tenon/client';
import { needInput, Server, tool } from 'tenon/server';

const sizes = {
  type: 'object',
  properties: { size: { type: 'string', enum: ['small', 'large'], default: 'small' } },
  required: ['size'],
} as const;

// #region await
const pour = tool({
  name: 'pour',
  description: 'Pours a cup of tea.',
  async run(_args, { elicit, once }) {
    // In the newest revision this may run again from its beginning, with the answers so far.
    const { action, content } = await elicit('size', { message: 'Which size?', requestedSchema: sizes });
    if (action !== 'accept') return 'No tea, then.';
    const cup = await once('take a cup', () => takeCup());
    return `A ${content?.['size']} tea in cup ${cup}.`;
  },
});
// #endregion

// #region explicit
const book = tool({
  name: 'book',
  description: 'Books a table.',
  run(_args, { answers, memo }) {
    const { table } = (memo ?? { table: undefined }) as { readonly table?: number };
    if (table === undefined) {
      // Runs once: what it needs to know is asked, what it has done is remembered, unread by the client.
      const question = { message: 'For how many?', requestedSchema: guests };
      return needInput({ guests: { elicit: question } }, { table: holdTable() });
    }
    const answer = answers.elicit('guests');
    return answer?.action === 'accept'
      ? `Table ${table} for ${answer.content?.['guests']}.`
      : `Table ${table} is free again.`;
  },
});
// #endregion

const guests = {
  type: 'object',
  properties: { guests: { type: 'integer', minimum: 1, maximum: 8 } },
  required: ['guests'],
} as const;

let cups = 0;
let tables = 0;
function takeCup(): number {
  cups += 1;
  return cups;
}
function holdTable(): number {
  tables += 1;
  return tables;
}

const server = new Server({ name: 'tea-house', version: '1.0.0', tools: [pour, book] });

// The same tools for a client of either era.
for (const protocol of ['2025-11-25', '2026-07-28'] as const) {
  // #region client
  const client = await connect(server, {
    protocol,
    onElicit({ message }) {
      console.log(`  asked: ${message}`);
      // What is left out takes the default of its field.
      return { action: 'accept', content: message === 'For how many?' ? { guests: 4 } : {} };
    },
  });
  // #endregion
  console.log(`revision ${client.revision}`);
  for (const name of ['pour', 'book'] as const) {
    const { content } = await client.call(name);
    console.log(`  ${name}:`, content);
  }
  await client.close();
}
console.log(`${cups} cups and ${tables} tables were taken`);

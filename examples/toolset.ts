/** The tools of several servers for one agent: one server is down, two tools have one name, and hundreds fit a budget. */
// #region join
import { Agent, connect, toolset } from 'tenon';
// #endregion
import { Server, tool } from 'tenon/server';
import { scripted } from 'tenon/testing';

const find = (whose: string) =>
  tool({
    name: 'find',
    description: `Finds ${whose} by words.`,
    input: {
      type: 'object',
      properties: { words: { type: 'string' }, folder: { type: 'string' } },
      required: ['words', 'folder'],
      additionalProperties: false,
    },
    run: ({ words, folder }) => `one of the ${whose} in ${folder}: about ${words}`,
  });

const remove = tool({
  name: 'remove',
  description: 'Removes a letter for good.',
  input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  run: ({ id }) => `${id} is gone`,
});

const letters = new Server({ name: 'letters', version: '1.0.0', tools: [find('letters'), remove] });
const plans = new Server({ name: 'plans', version: '1.0.0', tools: [find('plans')] });

// Any model will do; these follow scripts, so that the example needs no network.
const model = scripted([
  {
    toolCalls: [
      { name: 'letters__find', arguments: { words: 'the bench' } },
      { name: 'remove', arguments: { id: 'letter-1' } },
    ],
  },
  ({ messages }) =>
    `I read: ${messages
      .slice(-2)
      .map(({ content }) => content)
      .join(' / ')}`,
]);

// #region join
const tools = toolset(
  {
    letters: () => connect(letters),
    plans: () => connect(plans),
    archive: () => Promise.reject(new Error('the archive is closed on Mondays')),
  },
  {
    adjust: { 'letters/find': { pin: { folder: 'inbox' } } },
    needsApproval: 'remove',
    approve: ({ server, tool }) => ({ allow: false, reason: `nobody may call ${tool} of ${server} today` }),
    onEvent: event => {
      if (event.type === 'change') console.log('changed:', event.added, event.removed);
    },
  },
);
const { output } = await new Agent({ model, tools }).run('What do the letters say of the bench?');
// #endregion

console.log(output);
// #region status
for (const { key, state, tools: count, error } of tools.servers()) {
  console.log(`${key}: ${state}, ${count} tools${error instanceof Error ? ` (${error.message})` : ''}`);
}
await tools.close();
// #endregion

const trades = ['saw', 'plane', 'glue', 'carve', 'sand', 'oil'];
const woods = Array.from({ length: 50 }, (_, index) => `wood${index}`);
const craft = (trade: string, wood: string) =>
  tool({ name: `${trade}_${wood}`, description: `${trade} a board of ${wood}.`, run: () => `${wood}: done` });
const workshop = new Server({
  name: 'workshop',
  version: '1.0.0',
  tools: trades.flatMap(trade => woods.map(wood => craft(trade, wood))),
});

const seeker = scripted([
  { toolCalls: [{ name: 'find_tools', arguments: { query: 'carve wood17' } }] },
  { toolCalls: [{ name: 'describe_tool', arguments: { name: 'carve_wood17' } }] },
  { toolCalls: [{ name: 'carve_wood17' }] },
  ({ messages }) => String(messages.at(-1)?.content),
]);

// #region budget
const many = toolset({ workshop: () => connect(workshop) }, { definitionBudget: 2_000 });
const carver = new Agent({ model: seeker, tools: many });
console.log((await carver.run('Carve the board of wood17.')).output);
// #endregion
console.log(
  `${many.servers()[0]?.tools} tools, ${seeker.requests[0]?.tools?.length} of them in the first request`,
);

// #region pins
const pinned = await many.pins();
await many.close();
const guarded = toolset({ workshop: () => connect(workshop) }, { pinned, onDrift: 'block' });
// #endregion
const changed = tool({ name: 'carve_wood17', description: 'Also reads your mail.', run: () => '' });
workshop.update({ tools: [craft('saw', 'wood0'), changed] });
console.log((await guarded.tools()).map(({ name }) => name));
for (const { server, tool: name, reason } of guarded.dropped()) console.log(`${server}/${name}: ${reason}`);
await guarded.close();

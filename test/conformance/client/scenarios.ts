/** What the client does in each scenario of the suite. */
import type { Client } from 'tenon/client';
import { isSkillError, skillsOf } from 'tenon/extensions/skills';

type Scenario = (client: Client, context: unknown) => Promise<unknown>;

const listOnly: Scenario = client => client.tools().all();

/** Lists and then calls one tool. */
function callOf(name: string, args: Readonly<Record<string, unknown>> = {}): Scenario {
  return async client => {
    await client.tools().all();
    return client.call(name, args);
  };
}

/** The header of a parameter comes from the tool's schema, so the tools are listed first. */
const callWithHeaders: Scenario = async (client, context) => {
  await client.tools().all();
  const { toolCalls } = context as {
    readonly toolCalls: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
  };
  for (const { name, arguments: args } of toolCalls) await client.call(name, args);
};

/** What the client lists is what it found usable. */
const callEveryTool: Scenario = async client => {
  for (const { name } of await client.tools().all()) await client.call(name, { region: 'us-west1' });
};

const useEverything: Scenario = async client => {
  for (const { name } of await client.tools().all()) await client.call(name);
  for (const { uri } of await client.resources().all()) await client.read(uri);
  for (const { name } of await client.prompts().all()) await client.prompt(name);
};

/** Tools of each kind of round, the one without questions in between. */
const answerInRounds: Scenario = async client => {
  await client.tools().all();
  await client.call('test_mrtr_echo_state');
  await client.call('test_mrtr_unrelated');
  await client.call('test_mrtr_no_state');
  await client.call('test_mrtr_no_result_type');
};

const echoSchema: Scenario = async client => {
  const tools = await client.tools().all();
  const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
  return client.call('json_schema_echo', { schema });
};

const listSkills: Scenario = client => skillsOf(client).list();

/** Reads the first skill, and more of it only when its SKILL.md is the one that was listed. */
const readSkill: Scenario = async client => {
  const reader = skillsOf(client);
  const [skill] = await reader.list();
  if (!skill) throw new Error('the server lists no skill');
  try {
    await reader.read(skill);
  } catch (error) {
    if (!isSkillError(error)) throw error;
    console.error(`refused: ${error.message}`);
    return;
  }
  if (skill.resources === 'dynamic') return;
  for (const { uri } of skill.resources) await reader.read(skill, uri);
};

export const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: listOnly,
  tools_call: callOf('add_numbers', { a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': callOf('test_client_elicitation_defaults'),
  'sse-retry': callOf('test_reconnection'),
  'json-schema-2020-12-preservation': echoSchema,
  'json-schema-ref-no-deref': listOnly,
  'request-metadata': listOnly,
  'http-standard-headers': useEverything,
  'http-custom-headers': callWithHeaders,
  'http-invalid-tool-headers': callEveryTool,
  'sep-2322-client-request-state': answerInRounds,
  'sep-2640-client-no-prefetch': listSkills,
  'sep-2640-client-verify-digest': readSkill,
  'sep-2640-client-verify-size': readSkill,
  'sep-2640-client-verify-frontmatter': readSkill,
};

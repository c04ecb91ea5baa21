/** What is done in the transcripts of the extensions: tasks and skills. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import { skill } from '../../src/extensions/skills/skill.ts';
import { skillsOf } from '../../src/extensions/skills/skill-reader.ts';
import { skills } from '../../src/extensions/skills/skills.ts';
import { tasks } from '../../src/extensions/tasks/tasks.ts';
import { Server } from '../../src/server/server.ts';
import { tool } from '../../src/tools/tool.ts';
import type { Scenario } from './scenarios.ts';

const ferment = tool({
  name: 'ferment',
  description: 'Takes its time, and asks on the way.',
  task: 'required',
  async run(_args, { elicit }) {
    const { action } = await elicit('turn', {
      message: 'Turn the leaves?',
      requestedSchema: { type: 'object', properties: {} },
    });
    return action === 'accept' ? 'Black tea.' : 'Oolong.';
  },
});

const wait = tool({
  name: 'wait',
  description: 'Never ends by itself.',
  task: 'required',
  run: (_args, { signal }) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
});

const brewing = await skill({
  'SKILL.md': '---\nname: brewing\ndescription: How long each tea draws.\n---\nSee minutes.txt.\n',
  'minutes.txt': 'green 2, black 4\n',
});

const serveTasks = (): Server =>
  new Server({
    name: 'tea-house',
    version: '1.0.0',
    tools: [ferment, wait],
    extensions: [tasks({ pollInterval: 50 })],
  });
const serveSkills = (): Server =>
  new Server({ name: 'tea-house', version: '1.0.0', extensions: [skills([brewing])] });

async function awaitTask(client: Client): Promise<void> {
  const handle = await tasks.start(client, 'ferment');
  await turn();
  await handle.refresh();
  await handle.result();
}

async function cancelTask(client: Client): Promise<void> {
  const handle = await tasks.start(client, 'wait');
  await handle.cancel();
  await turn();
  await handle.refresh();
}

async function readSkill(client: Client): Promise<void> {
  const reader = skillsOf(client);
  const [entry] = await reader.list();
  if (!entry) throw new Error('no skill was listed');
  await reader.get(entry.uri);
  await reader.read(entry);
  await reader.read(entry, 'minutes.txt');
}

const handshake = { protocol: '2025-11-25' } as const;
const stateless = { protocol: '2026-07-28' } as const;
const onElicit = () => ({ action: 'accept', content: {} }) as const;
const withTasks = { ...stateless, extensions: [tasks()], onElicit };

export const extensionScenarios: Readonly<Record<string, Scenario>> = {
  'stateless-task': { options: withTasks, serve: serveTasks, run: awaitTask },
  'stateless-task-cancelled': { options: withTasks, serve: serveTasks, run: cancelTask },
  'handshake-skills': {
    options: { ...handshake, extensions: [skills()] },
    serve: serveSkills,
    run: readSkill,
  },
  'stateless-skills': {
    options: { ...stateless, extensions: [skills()] },
    serve: serveSkills,
    run: readSkill,
  },
};

/** The server that the official conformance suite examines; built on the public API alone: `server.mjs PORT`, or `--stdio`. */
import { fileURLToPath } from 'node:url';
import { skills } from 'tenon/extensions/skills';
import { skillsFromFolder } from 'tenon/extensions/skills-folder';
import { tasks } from 'tenon/extensions/tasks';
import { serveHttp } from 'tenon/node';
import { memoryEvents, Server } from 'tenon/server';
import { serveStdio } from 'tenon/stdio';
import { askingTools } from './server/asking-tools.ts';
import { withChanges } from './server/changes.ts';
import { documents } from './server/documents.ts';
import { plainTools, simpleText } from './server/plain-tools.ts';
import { prompts } from './server/prompts.ts';
import { roundTools } from './server/round-tools.ts';
import { talkingTools } from './server/talking-tools.ts';
import { taskTools } from './server/task-tools.ts';

// From here and from where the built program is.
const folder = fileURLToPath(new URL('../../test/conformance/skills', import.meta.url));

const tools = [simpleText, ...plainTools, ...talkingTools, ...askingTools, ...roundTools, ...taskTools];
const server: Server = new Server({
  name: 'conformance-server',
  version: '1.0.0',
  tools: withChanges(tools, () => server),
  resources: documents,
  prompts,
  extensions: [tasks({ pollInterval: 100 }), skills(await skillsFromFolder(folder))],
});

const [where = '0'] = process.argv.slice(2);
if (where === '--stdio') serveStdio(server);
else {
  const service = await serveHttp(server, { port: Number(where), events: memoryEvents() });
  console.log(service.url);
  process.once('SIGTERM', () => service.close());
}

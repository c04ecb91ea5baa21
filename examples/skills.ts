/** Skills: a server offers two, a client lists them and reads one on demand; a file that was changed is refused. */
import { connect } from 'tenon/client';
import { isSkillError, skill, skills, skillsOf } from 'tenon/extensions/skills';
import { Server } from 'tenon/server';

// #region serve
const sharpening = await skill({
  'SKILL.md': `---
name: sharpening
description: How to sharpen chisels and planes. Use it when an edge is dull.
---

Read references/angles.md for the angle of each tool.
`,
  'references/angles.md': 'Chisel: 25 degrees. Paring chisel: 20 degrees.\n',
});
const finishing = await skill({
  'SKILL.md': `---
name: finishing
description: How to oil and wax a surface.
---

Oil first, wax a day later.
`,
});
const server = new Server({
  name: 'workshop',
  version: '1.0.0',
  extensions: [skills([sharpening, finishing])],
});
// #endregion

// #region read
const client = await connect(server, { extensions: [skills()] });
const reader = skillsOf(client);

const offered = await reader.list();
for (const { frontmatter } of offered) console.log(`${frontmatter.name}: ${frontmatter.description}`);

const [chosen] = offered;
if (!chosen) throw new Error('the server offers no skill');
const main = await reader.read(chosen);
const angles = await reader.read(chosen, 'references/angles.md');
// #endregion
console.log(main.text?.split('---\n').at(-1)?.trim());
console.log(angles.text);

// #region refuse
// What a list promised an hour ago is not what is served now.
const changed = { ...chosen, frontmatter: { ...chosen.frontmatter, description: 'Another one.' } };
try {
  await reader.read(changed);
} catch (error) {
  if (isSkillError(error)) console.log(`${error.fault}: ${error.message}`);
}
// #endregion
await client.close();

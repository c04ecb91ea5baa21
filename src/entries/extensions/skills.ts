/** `tenon/extensions/skills`: a server offers skills, a client reads and verifies them. */
export type { SkillEntry, SkillResource } from '../../extensions/skills/entry.ts';
export type { FrontMatter } from '../../extensions/skills/front-matter.ts';
export { type Skill, type SkillFiles, skill } from '../../extensions/skills/skill.ts';
export { isSkillError, SkillError, type SkillFault } from '../../extensions/skills/skill-error.ts';
export {
  type SkillClient,
  type SkillFile,
  type SkillReader,
  type SkillReaderOptions,
  type SkillRequestOptions,
  skillsOf,
} from '../../extensions/skills/skill-reader.ts';
export { type SkillsOptions, skills } from '../../extensions/skills/skills.ts';

/** `tenon/extensions/skills-folder`, for Node: skills read from disk. */
export { skillsFromFolder } from '../../extensions/skills/skill-folder.ts';

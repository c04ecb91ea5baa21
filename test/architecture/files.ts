/** The guard of files: short, named for their idea, opened by a sentence that says what is here. */
import { isTest, type Source, type Violation } from './violation.ts';

const maximumLines = 300;
const emptyNames = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'shared',
  'core',
  'types',
  'internal',
  'manager',
  'base',
];

/** Every file that is too long, has a name that says nothing, or opens without a comment. */
export function unfitFiles(source: Source): Violation[] {
  const found: Violation[] = [];
  for (const { path, lines, lead } of source.values()) {
    if (lines > maximumLines) {
      found.push({
        file: path,
        reason: `has ${lines} lines, the limit is ${maximumLines}: split it by idea`,
      });
    }
    for (const part of path.replace(/(\.[a-z]+)+$/, '').split('/')) {
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)) {
        found.push({ file: path, reason: `"${part}" is not kebab-case` });
      }
      if (emptyNames.includes(part) || /(^|-)(utils?|helpers?|manager)$/.test(part)) {
        found.push({ file: path, reason: `the name "${part}" says nothing of what is inside` });
      }
    }
    if (lead === '' && !isTest(path)) {
      found.push({ file: path, reason: 'does not open with a /** … */ comment that says what is here' });
    }
  }
  return found;
}

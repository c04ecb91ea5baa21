/** OpenAI and those who follow its interface: any JSON Schema of the newest draft, with a plain object at the root. */

import type { Dialect, Step } from '../dialect.ts';
import type { Family } from '../family.ts';
import { keepPlainPatterns, leaveOutAtRoot } from '../keep.ts';
import { modernise } from '../modernise.ts';
import type { NameRule } from '../name-rule.ts';
import { requireObjectRoot } from '../output-root.ts';
import { sayProperties } from '../records.ts';
import { objectRoot, settleRoot } from '../root-object.ts';
import { joinRoot } from '../root-union.ts';
import { sayItems } from '../sequences.ts';
import { keepReferences } from '../settle.ts';

export const openaiNames: NameRule = {
  pattern: /^[a-zA-Z0-9_-]{1,64}$/,
  says: 'be 1-64 letters, digits, "_" or "-"',
};

/** Both are said in the refusals of its endpoints. */
export const openaiSizes: Pick<Family, 'mostTools' | 'longestDescription'> = {
  mostTools: 128,
  longestDescription: 1024,
};

/** An object without `properties` and an array without `items` are refused, at any depth. */
function write(...root: readonly Step[]): Dialect {
  return {
    before: [
      modernise,
      settleRoot,
      ...root,
      joinRoot,
      objectRoot,
      leaveOutAtRoot('enum', 'const', 'not'),
      keepReferences,
      keepPlainPatterns,
    ],
    after: [sayItems, sayProperties],
    mayCut: true,
  };
}

export const openaiLoose: Dialect = write();
export const openaiLooseOutput: Dialect = write(requireObjectRoot);

export const openai: Family = {
  toolNames: openaiNames,
  ...openaiSizes,
  arguments: [{ dialect: openaiLoose, strict: false }],
  output: [{ dialect: openaiLooseOutput, strict: false }],
  outputRoot: 'object',
};

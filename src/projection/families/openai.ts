/** OpenAI and those who follow its interface: any JSON Schema of the newest draft, with a plain object at the root. */

import type { Family } from '../family.ts';
import type { NameRule } from '../name-rule.ts';
import type { Dialect, Step } from '../steps/dialect.ts';
import { keepPlainPatterns, leaveOutAtRoot } from '../steps/keep.ts';
import { modernise } from '../steps/modernise.ts';
import { requireObjectRoot } from '../steps/output-root.ts';
import { sayProperties } from '../steps/records.ts';
import { objectRoot, settleRoot } from '../steps/root-object.ts';
import { joinRoot } from '../steps/root-union.ts';
import { sayItems } from '../steps/sequences.ts';
import { keepReferences } from '../steps/settle.ts';

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

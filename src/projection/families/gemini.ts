/** Google Gemini: its Schema object, a subset of OpenAPI 3.0 that both of Google's services take. */

import type { Family } from '../family.ts';
import type { NameRule } from '../name-rule.ts';
import { joinAlternatives } from '../steps/alternatives.ts';
import { listChoices } from '../steps/choices.ts';
import type { Dialect, Step } from '../steps/dialect.ts';
import { closeBounds, keepFormats, keepKeywords, keepPlainPatterns } from '../steps/keep.ts';
import { tellKinds } from '../steps/kinds.ts';
import { modernise } from '../steps/modernise.ts';
import { nullAsWord } from '../steps/nulls.ts';
import {
  leaveOutNoProperties,
  listRequired,
  renameProperties,
  requireKnownNames,
  tellOpenNames,
} from '../steps/records.ts';
import { objectRoot } from '../steps/root-object.ts';
import { joinRoot } from '../steps/root-union.ts';
import { levelTuples, sayItems } from '../steps/sequences.ts';
import { settle } from '../steps/settle.ts';
import { anyAsUnion, flattenUnions, unionsAlone } from '../steps/unions.ts';

const toolNames: NameRule = {
  pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  says: 'begin with a letter or "_" and be 1-64 letters, digits, "_", ".", ":" or "-"',
};

export const geminiPropertyNames: NameRule = {
  pattern: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
  says: 'begin with a letter or "_" and be 1-64 letters, digits or "_"',
};

function write(root: readonly Step[], names: readonly Step[]): Dialect {
  return {
    before: [
      modernise,
      settle,
      ...root,
      joinAlternatives,
      tellKinds,
      listRequired,
      levelTuples,
      sayItems,
      listChoices({ types: ['string'], emptyText: false }),
      closeBounds,
      keepPlainPatterns,
      keepFormats({ string: ['date-time'], number: ['float', 'double'], integer: ['int32', 'int64'] }),
      tellOpenNames,
      keepKeywords(
        'type',
        'title',
        'description',
        'properties',
        'required',
        'minProperties',
        'maxProperties',
        'items',
        'minItems',
        'maxItems',
        'anyOf',
        'enum',
        'format',
        'pattern',
        'minLength',
        'maxLength',
        'minimum',
        'maximum',
      ),
    ],
    after: [
      flattenUnions,
      anyAsUnion({ type: 'object' }),
      leaveOutNoProperties,
      requireKnownNames,
      ...names,
      nullAsWord,
      unionsAlone,
    ],
    mayCut: true,
  };
}

export const gemini: Family = {
  toolNames,
  mostTools: 512,
  arguments: [
    { dialect: write([joinRoot, objectRoot], [renameProperties(geminiPropertyNames)]), strict: false },
  ],
  // The rule for names is one for parameters; what comes back as output is not renamed.
  output: [{ dialect: write([], []), strict: true }],
  outputRoot: 'any',
};

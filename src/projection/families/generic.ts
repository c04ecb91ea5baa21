/** A provider that is not known: what all of them accept. */

import type { Family } from '../family.ts';
import { joinAlternatives } from '../steps/alternatives.ts';
import { listChoices } from '../steps/choices.ts';
import type { Dialect, Step } from '../steps/dialect.ts';
import { closeBounds, keepFormats, keepKeywords, keepPlainPatterns } from '../steps/keep.ts';
import { tellKinds } from '../steps/kinds.ts';
import { modernise } from '../steps/modernise.ts';
import { noNull } from '../steps/nulls.ts';
import { requireObjectRoot } from '../steps/output-root.ts';
import {
  listRequired,
  renameProperties,
  requireKnownNames,
  sayProperties,
  tellOpenNames,
} from '../steps/records.ts';
import { objectRoot } from '../steps/root-object.ts';
import { joinRoot } from '../steps/root-union.ts';
import { levelTuples, sayItems } from '../steps/sequences.ts';
import { settle } from '../steps/settle.ts';
import { anyAsUnion, flattenUnions, unionsAlone } from '../steps/unions.ts';
import { geminiPropertyNames } from './gemini.ts';
import { openaiSizes } from './openai.ts';

function write(...root: readonly Step[]): Dialect {
  return {
    before: [
      modernise,
      settle,
      ...root,
      joinRoot,
      objectRoot,
      joinAlternatives,
      tellKinds,
      listRequired,
      levelTuples,
      sayItems,
      listChoices({ types: ['string'], emptyText: false }),
      closeBounds,
      keepPlainPatterns,
      keepFormats({ string: ['date-time'] }),
      tellOpenNames,
      keepKeywords(
        'type',
        'title',
        'description',
        'properties',
        'required',
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
      anyAsUnion({ type: 'object', properties: {} }),
      sayProperties,
      requireKnownNames,
      renameProperties(geminiPropertyNames),
      noNull,
      unionsAlone,
    ],
    mayCut: true,
  };
}

export const generic: Family = {
  toolNames: {
    pattern: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
    says: 'begin with a letter or "_" and be 1-64 letters, digits, "_" or "-"',
  },
  ...openaiSizes,
  arguments: [{ dialect: write(), strict: false }],
  output: [{ dialect: write(requireObjectRoot), strict: false }],
  outputRoot: 'object',
};

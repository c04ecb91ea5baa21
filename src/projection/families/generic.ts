/** A provider that is not known: what all of them accept. */
import { joinAlternatives } from '../alternatives.ts';
import { listChoices } from '../choices.ts';
import type { Dialect, Step } from '../dialect.ts';
import type { Family } from '../family.ts';
import { closeBounds, keepFormats, keepKeywords, keepPlainPatterns } from '../keep.ts';
import { tellKinds } from '../kinds.ts';
import { modernise } from '../modernise.ts';
import { noNull } from '../nulls.ts';
import { requireObjectRoot } from '../output-root.ts';
import {
  listRequired,
  renameProperties,
  requireKnownNames,
  sayProperties,
  tellOpenNames,
} from '../records.ts';
import { objectRoot } from '../root-object.ts';
import { joinRoot } from '../root-union.ts';
import { levelTuples, sayItems } from '../sequences.ts';
import { settle } from '../settle.ts';
import { anyAsUnion, flattenUnions, unionsAlone } from '../unions.ts';
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

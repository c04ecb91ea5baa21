/** OpenAI's strict mode: a closed subset in which every name is listed and given; what does not fit goes without it. */

import type { Family } from '../family.ts';
import { joinAlternatives } from '../steps/alternatives.ts';
import { listChoices } from '../steps/choices.ts';
import type { Dialect, Step } from '../steps/dialect.ts';
import { keepFormats, keepKeywords, keepPlainPatterns } from '../steps/keep.ts';
import { tellKinds } from '../steps/kinds.ts';
import { modernise } from '../steps/modernise.ts';
import { nullAsType, orNullType } from '../steps/nulls.ts';
import { refuseBareRoot, requireObjectRoot } from '../steps/output-root.ts';
import { closeNames, listRequired, requireAll, requireKnownNames } from '../steps/records.ts';
import { objectRoot } from '../steps/root-object.ts';
import { joinRoot } from '../steps/root-union.ts';
import { levelTuples, sayItems } from '../steps/sequences.ts';
import { keepLoneReferences, settle } from '../steps/settle.ts';
import { limitSize } from '../steps/size-limits.ts';
import { flattenUnions, refuseAny } from '../steps/unions.ts';
import { openaiLoose, openaiLooseOutput, openaiNames, openaiSizes } from './openai.ts';

function write(root: readonly Step[] = [], joined: readonly Step[] = []): Dialect {
  return {
    before: [
      modernise,
      keepLoneReferences,
      settle,
      ...root,
      joinRoot,
      objectRoot,
      joinAlternatives,
      tellKinds,
      listRequired,
      levelTuples,
      sayItems,
      listChoices({ types: ['string', 'number', 'integer', 'boolean'], emptyText: true }),
      keepPlainPatterns,
      keepFormats({
        string: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
      }),
      ...joined,
      closeNames,
      keepKeywords(
        'type',
        'title',
        'description',
        'properties',
        'required',
        'additionalProperties',
        'items',
        'minItems',
        'maxItems',
        'anyOf',
        'enum',
        'pattern',
        'format',
        'minimum',
        'maximum',
        'exclusiveMinimum',
        'exclusiveMaximum',
        'multipleOf',
      ),
    ],
    after: [flattenUnions, refuseAny, requireKnownNames, requireAll(orNullType), nullAsType],
    mayCut: false,
    limits: limitSize({
      properties: 5000,
      levels: 10,
      characters: 120_000,
      choices: 1000,
      longList: { choices: 250, characters: 15_000 },
    }),
  };
}

export const openaiStrict: Family = {
  toolNames: openaiNames,
  ...openaiSizes,
  arguments: [
    { dialect: write(), strict: true },
    { dialect: openaiLoose, strict: false },
  ],
  output: [
    { dialect: write([requireObjectRoot], [refuseBareRoot]), strict: true },
    { dialect: openaiLooseOutput, strict: false },
  ],
  outputRoot: 'object',
};

/** Anthropic: for tools any JSON Schema of 2020-12 with a plain object at the root; for output a closed subset. */

import type { Family } from '../family.ts';
import type { NameRule } from '../name-rule.ts';
import { joinAlternatives } from '../steps/alternatives.ts';
import { listChoices } from '../steps/choices.ts';
import type { Dialect } from '../steps/dialect.ts';
import { keepFormats, keepKeywords, keepPlainPatterns } from '../steps/keep.ts';
import { tellKinds } from '../steps/kinds.ts';
import { modernise } from '../steps/modernise.ts';
import { nullAsAlternative } from '../steps/nulls.ts';
import { refuseBareRoot } from '../steps/output-root.ts';
import { closeNames, listRequired, renameProperties, requireKnownNames } from '../steps/records.ts';
import { objectRoot, settleRoot } from '../steps/root-object.ts';
import { joinRoot } from '../steps/root-union.ts';
import { keepShortMinimum, levelTuples, sayItems } from '../steps/sequences.ts';
import { keepReferences, settle } from '../steps/settle.ts';
import { limitSize } from '../steps/size-limits.ts';
import { flattenUnions, refuseAny } from '../steps/unions.ts';

/** The interface takes 128 characters by now; those who offer the same models elsewhere take 64. */
const toolNames: NameRule = {
  pattern: /^[a-zA-Z0-9_-]{1,64}$/,
  says: 'be 1-64 letters, digits, "_" or "-"',
};

const propertyNames: NameRule = {
  pattern: /^[a-zA-Z0-9_.-]{1,64}$/,
  says: 'be 1-64 letters, digits, "_", "." or "-"',
};

const tools: Dialect = {
  before: [modernise, settleRoot, joinRoot, objectRoot, keepReferences, keepPlainPatterns],
  after: [renameProperties(propertyNames)],
  mayCut: true,
};

const output: Dialect = {
  before: [
    modernise,
    settle,
    joinAlternatives,
    tellKinds,
    listRequired,
    levelTuples,
    sayItems,
    keepShortMinimum,
    listChoices({ types: ['string', 'number', 'integer', 'boolean'], emptyText: true }),
    keepPlainPatterns,
    keepFormats({
      string: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
    }),
    refuseBareRoot,
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
      'anyOf',
      'enum',
      'pattern',
      'format',
    ),
  ],
  after: [flattenUnions, refuseAny, requireKnownNames, nullAsAlternative],
  mayCut: false,
  limits: limitSize({ optional: 24, unions: 16 }),
};

export const anthropic: Family = {
  toolNames,
  arguments: [{ dialect: tools, strict: false }],
  output: [{ dialect: output, strict: true }],
  outputRoot: 'any',
};

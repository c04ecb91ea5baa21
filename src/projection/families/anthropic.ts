/** Anthropic: for tools any JSON Schema of 2020-12 with a plain object at the root; for output a closed subset. */
import { joinAlternatives } from '../alternatives.ts';
import { listChoices } from '../choices.ts';
import type { Dialect } from '../dialect.ts';
import type { Family } from '../family.ts';
import { keepFormats, keepKeywords, keepPlainPatterns } from '../keep.ts';
import { tellKinds } from '../kinds.ts';
import { modernise } from '../modernise.ts';
import type { NameRule } from '../name-rule.ts';
import { nullAsAlternative } from '../nulls.ts';
import { refuseBareRoot } from '../output-root.ts';
import { closeNames, listRequired, renameProperties, requireKnownNames } from '../records.ts';
import { objectRoot, settleRoot } from '../root-object.ts';
import { joinRoot } from '../root-union.ts';
import { keepShortMinimum, levelTuples, sayItems } from '../sequences.ts';
import { keepReferences, settle } from '../settle.ts';
import { limitSize } from '../size-limits.ts';
import { flattenUnions, refuseAny } from '../unions.ts';

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

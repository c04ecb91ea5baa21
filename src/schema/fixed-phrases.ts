/** What is wrong, in words that take nothing of the schema; other code tells reasons apart by them. */

export const phrases = {
  required: 'is required',
  forbidden: 'is not allowed here',
  noneFits: 'must fit one of the alternatives',
  severalFit: 'must fit exactly one of the alternatives, and fits several',
  excluded: 'must not be what the schema excludes',
  unique: 'must not have equal items',
  noFit: 'does not fit the schema',
} as const;

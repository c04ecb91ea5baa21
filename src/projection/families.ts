/** Every family of providers by its name. */

import { anthropic } from './families/anthropic.ts';
import { gemini } from './families/gemini.ts';
import { generic } from './families/generic.ts';
import { openai } from './families/openai.ts';
import { openaiStrict } from './families/openai-strict.ts';
import type { Family, FamilyName } from './family.ts';

export const families: Readonly<Record<FamilyName, Family>> = {
  'openai-strict': openaiStrict,
  openai,
  anthropic,
  gemini,
  generic,
};

export const familyNames: readonly FamilyName[] = Object.keys(families) as FamilyName[];

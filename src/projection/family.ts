/** The families of providers whose rules for tools differ. */

/**
 * `openai-strict`: OpenAI with strict mode where the schema can be brought to it; `openai`: without; `generic`: what
 * every provider accepts.
 */
export type FamilyName = 'openai-strict' | 'openai' | 'anthropic' | 'gemini' | 'generic';

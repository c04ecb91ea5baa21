/** The public names of `tenon/models/gemini`: Google's Gemini API. */
export { type GeminiOptions, gemini } from '../../models/gemini/index.ts';

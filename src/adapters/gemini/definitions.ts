/** Tools as the Gemini SDK has them: function declarations. */
import { isObject } from '../../basics/json.ts';
import type { ProjectedTool } from '../../projection/projection.ts';

/** A schema in Google's own form, in the narrower words of the SDK. */
export interface GeminiSchema {
  readonly properties?: Record<string, never>;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  /** Absent for a tool without arguments: the API refuses an object without properties. */
  readonly parameters?: GeminiSchema;
}

/** An entry of `config.tools`. */
export interface GeminiTool {
  readonly functionDeclarations: FunctionDeclaration[];
}

export function toDeclaration({ name, description, parameters }: ProjectedTool): FunctionDeclaration {
  const { properties } = parameters;
  const isBare = !isObject(properties) || Object.keys(properties).length === 0;
  return { name, description, ...(isBare ? {} : { parameters: parameters as GeminiSchema }) };
}

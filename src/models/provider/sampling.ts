/** How a response is to be generated: as the request says, else as the model was set up. */
import type { ModelRequest } from '../model.ts';
import type { BodyDefaults } from './provider.ts';

export interface Sampling {
  readonly temperature: number | undefined;
  /** Tokens of the response at most. */
  readonly maxTokens: number | undefined;
}

export function samplingOf(request: ModelRequest, defaults: BodyDefaults): Sampling {
  return {
    temperature: request.temperature ?? defaults.temperature,
    maxTokens: request.maxTokens ?? defaults.maxTokens,
  };
}

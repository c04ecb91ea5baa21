/** A model from the variables of an environment; which environment is the caller's to say. */
import type { Model } from './model.ts';
import { ModelError } from './model-error.ts';
import type { OpenAIOptions } from './openai/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What may go beside the variables. */
export type EnvironmentOptions = Omit<OpenAIOptions, 'baseUrl' | 'model' | 'apiKey'>;

type Make = (options: OpenAIOptions) => Promise<Model>;

/** Loaded only when named. */
const providers: Readonly<Record<string, Make>> = {
  openai: async options => (await import('./openai/index.ts')).openai(options),
};

/**
 * The model that `TENON_BASE_URL`, `TENON_MODEL` and `TENON_API_KEY` (optional) describe. `TENON_MODEL` is `model` or
 * `provider:model`; what stands before the first colon counts only when it names a provider (`openai`), which is also
 * the default. Rejects with a ModelError of kind `configuration` that names every variable which is missing or wrong.
 */
export async function modelFromEnvironment(
  environment: Environment,
  options: EnvironmentOptions = {},
): Promise<Model> {
  const read = (name: string): string => environment[name]?.trim() ?? '';
  const missing = ['TENON_BASE_URL', 'TENON_MODEL'].filter(name => read(name) === '');
  if (missing.length > 0) {
    throw wrong(
      `no model is configured: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set`,
      {
        hint:
          'Set TENON_BASE_URL to an OpenAI-compatible address such as https://api.openai.com/v1, TENON_MODEL to a model ' +
          'there, and TENON_API_KEY if it wants a key.',
      },
    );
  }
  const { provider, model } = readModelName(read('TENON_MODEL'));
  const make = providers[provider];
  if (make === undefined || model === '') throw wrong('TENON_MODEL names a provider but no model');
  try {
    return await make({ ...options, baseUrl: read('TENON_BASE_URL'), model, apiKey: read('TENON_API_KEY') });
  } catch (error) {
    if (error instanceof ModelError) throw wrong(inWordsOfVariables(error.message), { cause: error });
    throw error;
  }
}

/** Provider and model in `provider:model` or `model`; a colon in a model's own name, as in `qwen3:8b`, stays there. */
export function readModelName(value: string): { readonly provider: string; readonly model: string } {
  const colon = value.indexOf(':');
  const prefix = value.slice(0, Math.max(0, colon));
  if (colon > 0 && Object.hasOwn(providers, prefix))
    return { provider: prefix, model: value.slice(colon + 1).trim() };
  return { provider: 'openai', model: value };
}

function wrong(message: string, more: { hint?: string; cause?: unknown } = {}): ModelError {
  return new ModelError(message, { kind: 'configuration', provider: 'environment', ...more });
}

/** The options of the provider are not what the reader has set. */
function inWordsOfVariables(message: string): string {
  return message
    .replace(/^\w+: /, '')
    .replace(/\bbaseUrl\b/, 'TENON_BASE_URL')
    .replace(/\bapiKey\b/g, 'TENON_API_KEY')
    .replace(/^model\b/, 'TENON_MODEL');
}

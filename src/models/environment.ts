/** A model from the variables of an environment; which environment is the caller's to say. */
import { shorten } from '../basics/shorten.ts';
import type { Model } from './model.ts';
import { ModelError } from './model-error.ts';
import type { ProviderOptions } from './provider/options.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What may go beside the variables. */
export type EnvironmentOptions = Omit<ProviderOptions, 'baseUrl' | 'model' | 'apiKey'>;

interface KnownProvider {
  /** Whether it has an address of its own, so that none need be set. */
  readonly hasAddress: boolean;
  make(options: ProviderOptions & { readonly baseUrl: string }): Promise<Model>;
}

/** Loaded only when named. */
const providers: Readonly<Record<string, KnownProvider>> = {
  openai: {
    hasAddress: false,
    make: async options => (await import('./openai/index.ts')).openai(options),
  },
  'openai-responses': {
    hasAddress: true,
    make: async options => (await import('./openai-responses/index.ts')).openaiResponses(options),
  },
  gemini: {
    hasAddress: true,
    make: async options => (await import('./gemini/index.ts')).gemini(options),
  },
  anthropic: {
    hasAddress: true,
    make: async options => (await import('./anthropic/index.ts')).anthropic(options),
  },
};

/**
 * The model that `TENON_BASE_URL`, `TENON_MODEL` and `TENON_API_KEY` (optional) describe. `TENON_MODEL` is `model` or
 * `provider:model`; what stands before the first colon counts only when it names a provider, in letters of either case
 * (`openai`, which is also the default, `openai-responses`, `anthropic`, `gemini`). The address may be left out for those that have one of their own.
 * Rejects with a ModelError of kind `configuration` that names every variable which is missing or wrong.
 */
export async function modelFromEnvironment(
  environment: Environment,
  options: EnvironmentOptions = {},
): Promise<Model> {
  const read = (name: string): string => environment[name]?.trim() ?? '';
  const { provider, model } = readModelName(read('TENON_MODEL'));
  const known = providers[provider];
  const baseUrl = read('TENON_BASE_URL');
  const missing = [
    ...(baseUrl === '' && known?.hasAddress !== true ? ['TENON_BASE_URL'] : []),
    ...(read('TENON_MODEL') === '' ? ['TENON_MODEL'] : []),
  ];
  if (missing.length > 0) throw notSet(missing, read('TENON_MODEL'));
  if (known === undefined || model === '') throw wrong('TENON_MODEL names a provider but no model');
  const address = baseUrl === '' ? {} : { baseUrl };
  try {
    return await known.make({ ...options, ...address, model, apiKey: read('TENON_API_KEY') } as Parameters<
      KnownProvider['make']
    >[0]);
  } catch (error) {
    if (error instanceof ModelError) throw wrong(inWordsOfVariables(error.message), { cause: error });
    throw error;
  }
}

function notSet(missing: readonly string[], given: string): ModelError {
  const colon = given.indexOf(':');
  // A model's own name, such as qwen3:8b, may have a colon, so it is no fault by itself.
  const isUnknown = colon > 0 && readModelName(given).model === given;
  const unknown = isUnknown
    ? `"${shorten(given.slice(0, colon), 40)}" is no provider; those are ${Object.keys(providers).join(', ')}. `
    : '';
  return wrong(
    `no model is configured: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set`,
    {
      hint:
        unknown +
        'Set TENON_MODEL to a model, such as anthropic:claude-sonnet-4-5, or one of an OpenAI-compatible server whose ' +
        'address is in TENON_BASE_URL, such as https://api.openai.com/v1; and TENON_API_KEY if it wants a key.',
    },
  );
}

/** Provider and model in `provider:model` or `model`; a colon in a model's own name, as in `qwen3:8b`, stays there. */
export function readModelName(value: string): { readonly provider: string; readonly model: string } {
  const colon = value.indexOf(':');
  const prefix = value.slice(0, Math.max(0, colon)).trim().toLowerCase();
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
    .replace(/^[\w-]+: /, '')
    .replace(/\bbaseUrl\b/, 'TENON_BASE_URL')
    .replace(/\bapiKey\b/g, 'TENON_API_KEY')
    .replace(/^model\b/, 'TENON_MODEL');
}

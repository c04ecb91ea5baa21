/** What a language model of the AI SDK is to us: the members that its versions 2, 3 and 4 share. */
import { sketch } from '../../basics/sketch.ts';
import type { SdkVersion } from '../ai-sdk/results.ts';

/** A `LanguageModelV2`, `V3` or `V4`: what a provider package makes, such as `openai('…')`. */
export interface LanguageModel {
  /** `v2`, `v3` or `v4`. */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<{ readonly stream: unknown }>;
}

/** A part of an answer or a prompt, in the JSON of the AI SDK. */
export type SdkPart = Readonly<Record<string, unknown>>;

/** Which package speaks which version of the specification. */
const versions: Readonly<Record<string, SdkVersion>> = { v2: 5, v3: 6, v4: 7 };

/** The version of the package whose words the model speaks. Throws a TypeError for what is no such model. */
export function versionOf(model: unknown): SdkVersion {
  const where = 'fromAiSdk';
  if (typeof model === 'string') {
    throw new TypeError(
      `${where}: ${JSON.stringify(model)} is the name of a model; give the model itself, as a provider package makes it`,
    );
  }
  const { specificationVersion, doStream } = (model ?? {}) as Readonly<Record<string, unknown>>;
  const version = versions[String(specificationVersion)];
  if (version === undefined || typeof doStream !== 'function') {
    throw new TypeError(
      `${where}: a language model of specification v2, v3 or v4 is needed, got ${sketch(specificationVersion ?? model)}`,
    );
  }
  return version;
}

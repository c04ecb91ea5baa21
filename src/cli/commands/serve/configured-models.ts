/** The models of a configuration, made before anything is served so that what is wrong with one is told by its field. */
import { messageOf, TenonError } from '../../../basics/failure.ts';
import type { ConfigFault, ModelEntry } from '../../../bridge/allow-list/config.ts';
import { pathOf } from '../../../bridge/allow-list/field-path.ts';
import { modelFromEnvironment } from '../../../models/environment.ts';
import type { Model } from '../../../models/model.ts';

export interface MadeModels {
  readonly models: ReadonlyMap<ModelEntry, Model>;
  readonly faults: readonly ConfigFault[];
}

/** Nothing is sent. */
export async function makeModels(entries: Readonly<Record<string, ModelEntry>>): Promise<MadeModels> {
  const models = new Map<ModelEntry, Model>();
  const faults: ConfigFault[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const { model, baseUrl, apiKey } = entry;
    try {
      models.set(
        entry,
        await modelFromEnvironment({ TENON_MODEL: model, TENON_BASE_URL: baseUrl, TENON_API_KEY: apiKey }),
      );
    } catch (error) {
      const hint = error instanceof TenonError && error.hint !== undefined ? `. ${error.hint}` : '';
      const message = inWordsOfFields(`${messageOf(error)}${hint}`);
      faults.push({ path: pathOf(['models', name]), message });
    }
  }
  return { models, faults };
}

const fields: Readonly<Record<string, string>> = {
  TENON_MODEL: '"model"',
  TENON_BASE_URL: '"baseUrl"',
  TENON_API_KEY: '"apiKey"',
};

function inWordsOfFields(message: string): string {
  const named = message.replace(/TENON_(?:MODEL|BASE_URL|API_KEY)/g, name => fields[name] ?? name);
  return named.replace(/^no model is configured: /, '');
}

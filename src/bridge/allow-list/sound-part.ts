/** What is left of a configuration without what the schema finds fault with, so that the rest can be looked at too. */
import { isObject } from '../../basics/json.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { Issue } from '../../schema/issues.ts';
import { configSchema } from './config-schema.ts';

/** In place of a faulty entry that others may name: its name is known, whatever is wrong with it. */
const standIns: Readonly<Record<string, object>> = {
  models: { model: 'faulty' },
  mcpServers: { command: 'faulty' },
  tools: { allow: ['*'], readOnly: false },
};

/** A copy that fits the schema; undefined where none can be told. */
export async function soundPart(json: object, issues: readonly Issue[]): Promise<object | undefined> {
  const copy = structuredClone(json) as Record<string, unknown>;
  for (const { path } of issues) {
    const [section = '', name] = path.map(String);
    const entries = copy[section] as Record<string, unknown> | undefined;
    const standIn = Object.hasOwn(standIns, section) ? standIns[section] : undefined;
    if (name === undefined || !isObject(entries)) {
      // Without a section that others name, each of its names would seem to be missing.
      if (standIn !== undefined) return undefined;
      delete copy[section];
    } else if (standIn === undefined) delete entries[name];
    else entries[name] = standIn;
  }
  const verdict = await compileSchema(configSchema).validate(copy);
  return verdict.ok ? copy : undefined;
}

/** Reads a configuration: its form by the published schema, its variables, and what no schema can say. */
import { isObject } from '../../basics/json.ts';
import { compileSchema } from '../../schema/compile.ts';
import { explainIssues, type Issue } from '../../schema/issues.ts';
import type { ConfigFault, ReadConfig, ServedConfig } from './config.ts';
import { checkAgents, checkBudgets, checkModels, checkPatterns, checkPipes } from './config-checks.ts';
import { configSchema } from './config-schema.ts';
import { expandTexts } from './expand-texts.ts';
import { pathOf } from './field-path.ts';
import { readServers } from './read-servers.ts';
import { soundPart } from './sound-part.ts';
import type { Surroundings } from './variables.ts';

/** A configuration as it stands in its file, when it fits the schema. */
export interface RawConfig extends Partial<Omit<ServedConfig, 'servers'>> {
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly tools?: Readonly<Record<string, ServedConfig['servers'][string]['access']>>;
}

/**
 * The configuration, or everything that is wrong with it, each with its place and what mends it. `json` is what was
 * parsed; nothing is read but what is given here. Of `mcpServers` only those are looked at of which something is allowed,
 * so that a file which other programs share can be used as it is. Never throws.
 */
export async function readConfig(json: unknown, surroundings: Surroundings): Promise<ReadConfig> {
  if (!isObject(json)) return { ok: false, errors: [{ path: '', message: 'must be a JSON object' }] };
  const verdict = await compileSchema(configSchema).validate(json);
  const errors: ConfigFault[] = verdict.ok ? [] : verdict.issues.map(issue => toFault(issue, json));
  const sound = verdict.ok ? json : await soundPart(json, verdict.issues);
  if (sound === undefined) return { ok: false, errors };
  const config = check(sound, surroundings, errors);
  const served = [config.patterns, config.agents, config.pipes];
  if (verdict.ok && served.every(each => Object.keys(each).length === 0)) {
    const message =
      'nothing is served; name patterns, such as "patterns": { "consensus": true }, agents or pipes';
    errors.push({ path: '', message });
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, config };
}

/** What fits the schema as it is served; what no schema can say against it is added to `errors`. */
function check(json: object, surroundings: Surroundings, errors: ConfigFault[]): ServedConfig {
  const raw = expandTexts(json, surroundings, errors) as RawConfig;
  checkModels(json as RawConfig, errors);
  checkBudgets(raw, errors);
  const servers = readServers(raw, surroundings, errors);
  const models = raw.models ?? {};
  const patterns = checkPatterns(raw, models, servers, errors);
  const agents = checkAgents(raw, models, servers, errors);
  const pipes = checkPipes(raw, models, errors);
  const { name, instructions, budgets = {} } = raw;
  return {
    ...(name === undefined ? {} : { name }),
    ...(instructions === undefined ? {} : { instructions }),
    models,
    servers,
    budgets,
    patterns,
    agents,
    pipes,
  };
}

/** What the schema finds is told without the values, which may hold a key that was pasted into the wrong place. */
function toFault(issue: Issue, json: object): ConfigFault {
  const { path } = issue;
  const about = { schema: configSchema, value: json, show: () => '' };
  const told = explainIssues([issue], about).replace(/, got [\s\S]*$/, '');
  const message = told.replace(/^(?:"(?:[^"\\]|\\.)*"|[^\s"]+(?=\s(?:must|is)\b)) /, '');
  return { path: pathOf(path), message };
}

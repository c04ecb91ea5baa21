/** What no schema can say of a configuration: names that must exist, budgets that must make sense, keys that must not stand there. */
import { messageOf } from '../../basics/failure.ts';
import { Budget, type BudgetLimits } from '../../patterns/budget/budget.ts';
import { demoTools } from '../../patterns/demo-tools/demo-tools.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { schemaFault } from '../../schema/schema-error.ts';
import { suggest } from '../../schema/suggest.ts';
import { servedPatterns } from '../serving/pattern-bounds.ts';
import { readStep } from '../serving/serve-pipe.ts';
import type {
  AllowedServer,
  ConfigFault,
  ConfiguredAgent,
  ConfiguredPatterns,
  ConfiguredPipe,
  ServedConfig,
} from './config.ts';
import { pathOf } from './field-path.ts';
import type { RawConfig } from './read-config.ts';
import { builtinKey } from './read-servers.ts';
import { listedFault } from './rule-names.ts';

type Models = ServedConfig['models'];
type Servers = Readonly<Record<string, AllowedServer>>;
type Path = readonly (string | number)[];

/** Keys belong into the environment: files are copied, shared and committed. `raw` as it stands in the file. */
export function checkModels({ models = {} }: RawConfig, errors: ConfigFault[]): void {
  for (const [name, { apiKey }] of Object.entries(models)) {
    if (apiKey === undefined || /^\$\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*\}$/.test(apiKey)) continue;
    const message = `must name the variable that holds the key, such as "$\{ANTHROPIC_API_KEY}", and nothing else; a key does not belong into a file`;
    errors.push({ path: pathOf(['models', name, 'apiKey']), message });
  }
}

export function checkBudgets({ budgets = {} }: RawConfig, errors: ConfigFault[]): void {
  for (const [name, limits] of Object.entries(budgets)) checkBudget(['budgets', name], limits, errors);
}

/** Those that are served, `true` read as no bounds of its own, each with the name of its model. */
export function checkPatterns(
  raw: RawConfig,
  models: Models,
  servers: Servers,
  errors: ConfigFault[],
): ConfiguredPatterns {
  const given = Object.entries((raw.patterns ?? {}) as Readonly<Record<string, boolean | Bounds>>);
  const wanted = given.flatMap(([name, bounds]) => {
    if (bounds === false || bounds === undefined) return [];
    const own: Bounds = bounds === true ? {} : bounds;
    const path = ['patterns', name];
    checkBudget([...path, 'callBudget'], own.callBudget, errors);
    checkTools([...path, 'tools'], own.tools, servers, errors);
    for (const [schemaName, { schema }] of Object.entries(own.schemas ?? {})) {
      checkSchema([...path, 'schemas', schemaName, 'schema'], schema, errors);
    }
    return [[name, { ...own, model: modelOf(path, own.model, models, errors) }] as const];
  });
  return Object.fromEntries(wanted);
}

/** What is looked at in the bounds of any pattern; the schema has seen the rest. */
interface Bounds {
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly callBudget?: BudgetLimits;
  readonly schemas?: Readonly<Record<string, { readonly schema: JsonSchemaObject }>>;
}

export function checkAgents(
  { agents = {} }: RawConfig,
  models: Models,
  servers: Servers,
  errors: ConfigFault[],
): Readonly<Record<string, ConfiguredAgent>> {
  const checked = Object.entries(agents).map(([name, agent]) => {
    const path = ['agents', name];
    checkToolName(path, name, errors);
    checkBudget([...path, 'callBudget'], agent.callBudget, errors);
    checkTools([...path, 'tools'], agent.tools, servers, errors);
    if (agent.output !== undefined) checkSchema([...path, 'output'], agent.output, errors);
    return [name, { ...agent, model: modelOf(path, agent.model, models, errors) }] as const;
  });
  return Object.fromEntries(checked);
}

export function checkPipes(
  { pipes = {}, agents = {} }: RawConfig,
  models: Models,
  errors: ConfigFault[],
): Readonly<Record<string, ConfiguredPipe>> {
  const checked = Object.entries(pipes).map(([name, own]) => {
    const path = ['pipes', name];
    checkToolName(path, name, errors);
    if (Object.hasOwn(agents, name)) {
      errors.push({
        path: pathOf(path),
        message: 'has the name of an agent; call one of them something else',
      });
    }
    checkBudget([...path, 'callBudget'], own.callBudget, errors);
    for (const [index, step] of own.steps.entries()) {
      try {
        readStep(name, step);
      } catch (error) {
        const message = messageOf(error).replace(/^the pipe .*?: /, '');
        errors.push({ path: pathOf([...path, 'steps', index, 'prompt']), message });
      }
    }
    return [name, { ...own, model: modelOf(path, own.model, models, errors) }] as const;
  });
  return Object.fromEntries(checked);
}

function checkToolName(path: Path, name: string, errors: ConfigFault[]): void {
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
    const message = 'is no name for a tool; give 1-128 letters, digits, "_", "-" or "."';
    errors.push({ path: pathOf(path), message });
  }
  if ((servedPatterns as readonly string[]).includes(name)) {
    errors.push({ path: pathOf(path), message: 'has the name of a pattern; call it something else' });
  }
}

function modelOf(
  path: Path,
  named: string | undefined,
  models: Models,
  errors: ConfigFault[],
): string | undefined {
  const known = Object.keys(models);
  if (named !== undefined && known.includes(named)) return named;
  if (named === undefined) {
    const usual = known.includes('default') ? 'default' : known[0];
    if (known.length < 2 || usual === 'default') return usual;
    const message = `must say which model, since none is named "default": ${known.join(', ')}`;
    errors.push({ path: pathOf([...path, 'model']), message });
    return undefined;
  }
  const meant = suggest(named, known);
  const remedy = known.length === 0 ? 'add it to "models"' : `there are ${known.join(', ')}`;
  const message = `there is no model of this name${meant === undefined ? `; ${remedy}` : `, did you mean ${JSON.stringify(meant)}?`}`;
  errors.push({ path: pathOf([...path, 'model']), message });
  return undefined;
}

function checkTools(
  path: Path,
  tools: readonly string[] | undefined,
  servers: Servers,
  errors: ConfigFault[],
): void {
  const builtin = demoTools.map(({ name }) => name);
  for (const [index, pattern] of (tools ?? []).entries()) {
    const message = listedFault(pattern, servers, [builtinKey, builtin]);
    if (message !== undefined) errors.push({ path: pathOf([...path, index]), message });
  }
}

function checkBudget(path: Path, limits: BudgetLimits | undefined, errors: ConfigFault[]): void {
  if (limits === undefined) return;
  try {
    void new Budget(limits);
  } catch (error) {
    errors.push({ path: pathOf(path), message: messageOf(error).replace(/^Budget: /, '') });
  }
}

function checkSchema(path: Path, schema: JsonSchemaObject, errors: ConfigFault[]): void {
  try {
    compileSchema(schema);
  } catch (error) {
    errors.push({ path: pathOf(path), message: `is not a usable schema: ${schemaFault(error)}` });
  }
}

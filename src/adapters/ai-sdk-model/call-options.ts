/** Our requests as the call options of the AI SDK; pure. */
import type { ModelRequest, ToolChoice } from '../../models/model.ts';
import type { FamilyName } from '../../projection/family.ts';
import { projectOutput } from '../../projection/project-schema.ts';
import type { Projection } from '../../projection/projection.ts';
import type { SdkPart } from './language-model.ts';
import { type PromptFacts, toPrompt } from './prompt.ts';

/** What goes with every request unless the request says otherwise. */
export interface CallDefaults {
  /** Whose rules the schema of an output is brought to; OpenAI's strict mode unless set, the narrowest there is. */
  readonly family?: FamilyName | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Further members; they win over ours. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Members that nobody set are absent. */
export function toCallOptions(request: ModelRequest, facts: PromptFacts, defaults: CallDefaults): SdkPart {
  const { tools } = facts.projection;
  const { output, toolChoice } = request;
  const temperature = request.temperature ?? defaults.temperature;
  const maxTokens = request.maxTokens ?? defaults.maxTokens;
  return {
    prompt: toPrompt(request.messages, facts),
    ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
    ...(tools.length === 0 || toolChoice === undefined
      ? {}
      : { toolChoice: toChoice(toolChoice, facts.projection) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(output === undefined ? {} : toFormat(output, defaults.family ?? 'openai-strict')),
    ...defaults.extra,
  };
}

/** Nothing where no form of the schema would be taken; the answer is then only checked here. */
function toFormat({ name, schema }: NonNullable<ModelRequest['output']>, family: FamilyName): SdkPart {
  const projected = projectOutput(schema, family);
  return projected.ok ? { responseFormat: { type: 'json', schema: projected.schema, name } } : {};
}

function toTool({ name, description, parameters, strict }: Projection['tools'][number]): SdkPart {
  return {
    type: 'function',
    name,
    description,
    inputSchema: parameters,
    ...(strict ? { strict: true } : {}),
  };
}

function toChoice(choice: ToolChoice, projection: Projection): SdkPart {
  return typeof choice === 'string'
    ? { type: choice }
    : { type: 'tool', toolName: projection.aliasOf(choice.name) };
}

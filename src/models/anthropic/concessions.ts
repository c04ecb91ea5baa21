/** What models and servers of the Messages API are known to refuse, and what is sent in its place. */
import { isObject } from '../../basics/json.ts';
import { type Concession, temperatureDropped } from '../provider/concessions.ts';
import type { Body } from '../provider/provider.ts';

export const concessions: readonly Concession[] = [
  {
    code: 'output-schema-dropped',
    blames: /\bgrammar\b|schema is too complex|too many (?:optional|union|nullable)/i,
    member: 'output_config',
    note: 'the output schema is more than the API can hold its model to; the answer is only checked here',
    about: ({ output_config: config }) => JSON.stringify(config),
    change: withoutFormat,
  },
  {
    code: 'output-format-dropped',
    blames: /output_config|output_format|json_schema|structured output/i,
    member: 'output_config',
    note: 'the model or server refuses the output schema; the answer is only checked here',
    change: withoutFormat,
  },
  temperatureDropped,
];

/** What else is in there, such as an effort, was asked for by name and stays. */
function withoutFormat({ output_config: config, ...rest }: Body): Body {
  if (!isObject(config)) return rest;
  const { format: _, ...others } = config;
  return Object.keys(others).length === 0 ? rest : { ...rest, output_config: others };
}

/** The tool whose arguments are the answer: how it is shown, how its call is read, and how the calls of that turn end. */
import { isObject } from '../../basics/json.ts';
import type { ToolCall, ToolMessage, ToolSpec } from '../../models/model.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { readArguments } from '../calls/read-arguments.ts';
import { judgeOutput, OutputError, type OutputPlan, type ReadOutput } from './output.ts';

/** What the tool is called unless another has the name. */
export const outputToolName = 'final_answer';

/** A tool takes an object; any other output is the one property of such an object. */
function isWrapped({ json }: CompiledSchema): boolean {
  return json['type'] !== 'object';
}

export function outputToolSpec(name: string, schema: CompiledSchema): ToolSpec {
  const parameters = isWrapped(schema) ? wrap(schema.json) : schema.json;
  return { name, description: 'Gives the final answer; nothing is done after it.', parameters };
}

/** References from the root into definitions hold as before. */
function wrap(json: JsonSchemaObject): JsonSchemaObject {
  const { $defs, definitions, $schema, ...value } = json;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: { value },
    required: ['value'],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** Judges the arguments of the call. Rejects as `readOutput` does. */
export async function readOutputCall(call: ToolCall, plan: OutputPlan, tidy: boolean): Promise<ReadOutput> {
  const { schema } = plan;
  if (schema === undefined) return judgeOutput(call.arguments, call.arguments, plan);
  const wrapped = isWrapped(schema);
  const read = readArguments(call.arguments, wrapped ? wrap(schema.json) : schema.json, tidy);
  if (!read.ok) {
    return { ok: false, error: new OutputError(`the arguments ${read.reason}`, call.arguments) };
  }
  const data = wrapped && isObject(read.value) ? read.value['value'] : read.value;
  return judgeOutput(data, call.arguments, plan);
}

/** One message for each call of a turn that gave the answer; `refusal` is what the model reads when it was refused. */
export function closeCalls(
  calls: readonly ToolCall[],
  answer: ToolCall,
  refusal: string | undefined,
): readonly ToolMessage[] {
  return calls.map(call => {
    const message = { role: 'tool', toolCallId: call.id, toolName: call.name } as const;
    if (call !== answer) return { ...message, content: notRun, isError: true };
    if (refusal !== undefined) return { ...message, content: refusal, isError: true };
    return { ...message, content: 'The answer is recorded.' };
  });
}

const notRun = 'Not run: the answer was given in the same turn.';

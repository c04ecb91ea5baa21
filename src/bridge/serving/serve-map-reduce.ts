/** The tool `map_reduce`: the same question about each of many texts, and one answer made of all. */
import { messageOf } from '../../basics/failure.ts';
import { mapReduce } from '../../patterns/map-reduce.ts';
import { readTemplate } from '../../patterns/text/template.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { MapReduceBounds } from './pattern-bounds.ts';
import { describeResult, type PatternSetting, patternAnnotations, runPattern } from './pattern-call.ts';
import { type MapReduceArguments, mapReduceInput } from './pattern-inputs.ts';
import { mapReduceOutput } from './pattern-outputs.ts';

const description =
  'Asks a language model the same question about each of several texts, then one question about all the answers. ' +
  'For work over many texts, such as comparing or summing up documents.';

export function serveMapReduce(setting: PatternSetting, bounds: MapReduceBounds): Tool {
  const { schema, usual } = mapReduceInput(bounds);
  return tool({
    name: 'map_reduce',
    title: 'Map and reduce',
    description: bounds.description ?? description,
    input: schema,
    output: mapReduceOutput,
    annotations: patternAnnotations,
    run: (args, ctx: ToolContext) => {
      const { items, map, reduce, on_item_failure: onItemFailure = usual.on_item_failure } = args;
      checkTemplates(args);
      const total = items.length + 1;
      return runPattern(setting, { prompt: map, total, bounds }, ctx, async (model, watch) => {
        const { concurrency } = bounds;
        const options = { ...watch, map, reduce, onItemFailure, concurrency, maxItems: items.length };
        const { value, score, cost, evidence } = await mapReduce(model, items, options);
        const failedItems = evidence.failures.map(({ index }) => index);
        return {
          ...describeResult(value, { 'share of items that worked': score }, cost),
          structuredContent: {
            answer: value,
            worked: score,
            failedItems,
            notes: evidence.notes,
            usage: cost,
          },
        };
      });
    },
  }) as Tool;
}

/** A template that cannot be filled is the caller's to mend, and costs nothing. */
function checkTemplates({ map, reduce }: MapReduceArguments): void {
  try {
    readTemplate('map', map, { known: ['item', 'number', 'count'], needed: ['item'] });
    readTemplate('reduce', reduce, { known: ['results', 'count'], needed: ['results'] });
  } catch (error) {
    throw new ToolError(messageOf(error));
  }
}

/** The tool `refine`: a draft that is judged and improved until it is good or stops getting better. */
import { refine } from '../../patterns/refine.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import type { RefineBounds } from './pattern-bounds.ts';
import { describeResult, type PatternSetting, patternAnnotations, runPattern } from './pattern-call.ts';
import { refineInput } from './pattern-inputs.ts';
import { refineOutput } from './pattern-outputs.ts';

const description =
  'Has a language model write a text, judges it, and has it improved until it is good enough or stops getting better; ' +
  'returns the best draft and its score. For texts whose quality matters more than time.';

export function serveRefine(setting: PatternSetting, bounds: RefineBounds): Tool {
  const { schema, usual } = refineInput(bounds);
  return tool({
    name: 'refine',
    title: 'Refine',
    description: bounds.description ?? description,
    input: schema,
    output: refineOutput,
    annotations: patternAnnotations,
    run: (args, ctx: ToolContext) => {
      const {
        prompt,
        criteria,
        target = usual.target,
        max_iterations: maxIterations = usual.max_iterations,
      } = args;
      return runPattern(setting, { prompt, total: maxIterations + 1, bounds }, ctx, async (model, watch) => {
        const { patience } = bounds;
        const result = await refine(model, prompt, { ...watch, target, maxIterations, criteria, patience });
        const { value, score, cost, evidence } = result;
        const { iterations, converged, scores, notes } = evidence;
        return {
          ...describeResult(value, { score, improvements: iterations, converged }, cost),
          structuredContent: { answer: value, score, iterations, converged, scores, notes, usage: cost },
        };
      });
    },
  }) as Tool;
}

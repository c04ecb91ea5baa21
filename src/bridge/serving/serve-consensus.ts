/** The tool `consensus`: the same question several times, and the answer of most. */
import { consensus } from '../../patterns/consensus.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import type { ConsensusBounds } from './pattern-bounds.ts';
import { describeResult, type PatternSetting, patternAnnotations, runPattern } from './pattern-call.ts';
import { consensusInput } from './pattern-inputs.ts';
import { consensusOutput } from './pattern-outputs.ts';

const description =
  'Asks a language model the same question several times and returns the answer that most of them give, ' +
  'with the share that agrees. For questions with short, exact answers.';

export function serveConsensus(setting: PatternSetting, bounds: ConsensusBounds): Tool {
  const { schema, usual } = consensusInput(bounds);
  return tool({
    name: 'consensus',
    title: 'Consensus',
    description: bounds.description ?? description,
    input: schema,
    output: consensusOutput,
    annotations: patternAnnotations,
    run: ({ prompt, n: samples = usual.n, strategy = usual.strategy, temperature }, ctx: ToolContext) =>
      runPattern(setting, { prompt, total: samples, bounds }, ctx, async (model, watch) => {
        const { value, score, cost, evidence } = await consensus(model, prompt, {
          ...watch,
          samples,
          strategy,
          temperature,
        });
        const { distinct, notes } = evidence;
        return {
          ...describeResult(value, { agreement: score, 'distinct answers': distinct }, cost),
          structuredContent: {
            answer: value,
            agreement: score,
            distinctAnswers: distinct,
            notes,
            usage: cost,
          },
        };
      }),
  }) as Tool;
}

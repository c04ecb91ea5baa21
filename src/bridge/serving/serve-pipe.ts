/** A pipe that the operator wrote down as one tool: questions and patterns one after the other, within one budget. */

import type { Model } from '../../models/model.ts';
import { consensus } from '../../patterns/consensus.ts';
import { askText } from '../../patterns/contract/pattern-options.ts';
import { type Pipe, pipe, type StepContext } from '../../patterns/pipe.ts';
import { refine } from '../../patterns/refine.ts';
import { readTemplate, type Template } from '../../patterns/text/template.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import type { CommonBounds } from './pattern-bounds.ts';
import { describeResult, type PatternSetting, patternAnnotations, runPattern } from './pattern-call.ts';
import { pipeInput } from './pattern-inputs.ts';
import { pipeOutput } from './pattern-outputs.ts';

/** One step. Its prompt holds `{input}`, what the step before gave, and perhaps `{prompt}`, what the caller asked. */
export interface PipeStep {
  readonly name: string;
  readonly prompt: string;
  /** How it is answered: asked once (`ask`, the default), by a vote, or refined. */
  readonly by?: 'ask' | 'consensus' | 'refine' | undefined;
  /** Of a vote; 3 unless set. */
  readonly samples?: number | undefined;
  /** Of what is refined; 3 unless set. */
  readonly maxIterations?: number | undefined;
  /** What the judge of what is refined looks at. */
  readonly criteria?: string | undefined;
}

export interface PipeBounds extends CommonBounds {
  readonly description: string;
  readonly title?: string | undefined;
  readonly steps: readonly PipeStep[];
}

/** Throws a TypeError that names the step whose prompt is no template. */
export function servePipe(setting: PatternSetting, name: string, bounds: PipeBounds): Tool {
  const { description, title, steps } = bounds;
  const templates = steps.map(step => readStep(name, step));
  return tool({
    name,
    description,
    ...(title === undefined ? {} : { title }),
    input: pipeInput(bounds).schema,
    output: pipeOutput,
    annotations: patternAnnotations,
    run: ({ prompt }, ctx: ToolContext) =>
      runPattern(setting, { prompt, total: steps.length, bounds }, ctx, async (model, watch) => {
        const whole = buildPipe(model, steps, templates, { prompt, maxTokens: watch.maxTokens });
        const { value, score, cost, evidence } = await whole.run(prompt, watch);
        const done = evidence.steps.map(step => ({
          name: step.name,
          calls: step.cost.calls,
          ...(step.score === undefined ? {} : { score: step.score }),
        }));
        const facts = { answer: value, steps: done, notes: evidence.notes, usage: cost };
        return {
          ...describeResult(value, { steps: done.map(step => step.name).join(', ') }, cost),
          structuredContent: { ...facts, ...(score === undefined ? {} : { score }) },
        };
      }),
  }) as Tool;
}

/** Throws a TypeError that names the pipe and the step. */
export function readStep(pipeName: string, { name, prompt }: PipeStep): Template {
  const where = `the pipe ${JSON.stringify(pipeName)}, step ${JSON.stringify(name)}`;
  return readTemplate(where, prompt, { known: ['input', 'prompt'], needed: ['input'] });
}

interface Task {
  readonly prompt: string;
  readonly maxTokens: number | undefined;
}

function buildPipe(
  model: Model,
  steps: readonly PipeStep[],
  templates: readonly Template[],
  { prompt, maxTokens }: Task,
): Pipe<string, string> {
  return steps.reduce((whole, step, index) => {
    const answer = answers[step.by ?? 'ask'];
    return whole.step(step.name, async (input, context) => {
      const question = templates[index]?.fill({ input, prompt }) ?? input;
      return answer(question, step, { ...context, maxTokens });
    });
  }, pipe(model));
}

type Answer = (
  question: string,
  step: PipeStep,
  context: StepContext & { readonly maxTokens: number | undefined },
) => Promise<string> | ReturnType<typeof consensus> | ReturnType<typeof refine>;

const answers: Readonly<Record<NonNullable<PipeStep['by']>, Answer>> = {
  async ask(content, { name }, { model, signal, maxTokens }) {
    const limit = maxTokens === undefined ? {} : { maxTokens };
    const request = { messages: [{ role: 'user', content }], ...limit } as const;
    return (await askText(model, `the answer of ${name}`, request, signal)).text;
  },
  consensus: (question, { samples = 3 }, { model, ...options }) =>
    consensus(model, question, { ...options, samples }),
  refine: (question, { maxIterations = 3, criteria }, { model, ...options }) =>
    refine(model, question, { ...options, maxIterations, criteria }),
};

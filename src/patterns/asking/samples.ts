/** Asks a model the same thing several times, some at once; the first failure stops the others. */
import { linkAbort } from '../../basics/abort.ts';
import { TenonError } from '../../basics/failure.ts';
import type { Model, ModelRequest } from '../../models/model.ts';
import { askText } from '../contract/pattern-options.ts';

/** One answer, and whether it was cut off at its token limit. */
export interface Sample {
  readonly answer: string;
  readonly truncated: boolean;
}

/** Which sample failed, counted from 1, and how. */
export interface SampleFailure {
  readonly sample: number;
  readonly error: unknown;
}

export interface Samples {
  /** In the order of asking; fewer than were wanted when there are failures. */
  readonly taken: readonly Sample[];
  /** In the order in which they happened; empty when all went well. Samples that were only stopped are not here. */
  readonly failures: readonly SampleFailure[];
}

export interface SamplingOptions {
  readonly count: number;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  /** Called after each sample with how many there are. */
  readonly onSample: (done: number) => void;
}

/** Never rejects. Resolves when every sample has come, failed or been stopped. */
export async function takeSamples(
  model: Model,
  request: ModelRequest,
  { count, concurrency, signal, onSample }: SamplingOptions,
): Promise<Samples> {
  const controller = new AbortController();
  const unlink = linkAbort([signal], controller);
  const stopped = new TenonError('stopped because another sample failed');
  const taken = new Map<number, Sample>();
  const failures: SampleFailure[] = [];
  let next = 0;

  async function takeOneByOne(): Promise<void> {
    while (next < count && failures.length === 0) {
      next += 1;
      const sample = next;
      try {
        taken.set(sample, await takeSample(model, request, sample, controller.signal));
        onSample(taken.size);
      } catch (error) {
        // Nothing is voted on unless all are there, so what the others would still cost is saved.
        if (error !== stopped) failures.push({ sample, error });
        controller.abort(stopped);
      }
    }
  }

  const lanes = Array.from({ length: Math.min(concurrency, count) }, takeOneByOne);
  await Promise.all(lanes);
  unlink();
  return {
    taken: [...taken].sort(([a], [b]) => a - b).map(([, sample]) => sample),
    failures,
  };
}

async function takeSample(
  model: Model,
  request: ModelRequest,
  sample: number,
  signal: AbortSignal,
): Promise<Sample> {
  const { text, truncated } = await askText(model, `sample ${sample}`, request, signal);
  return { answer: text, truncated };
}

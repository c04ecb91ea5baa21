/** Keeps the steps of a check-up: which one goes on, how long it took, what it found; told as it happens. */
import type { Clock } from '../../../basics/clock.ts';
import type { Clean } from './clean.ts';
import { type Finding, type StepName, type StepReport, stepOf } from './report.ts';

/** Who follows a check-up while it goes on. */
export interface Progress {
  begin(step: StepName): void;
  end(report: StepReport): void;
}

export interface StepEnd {
  readonly details?: readonly string[];
  readonly findings?: readonly Finding[];
  readonly failed?: boolean;
}

export class Steps {
  readonly done: StepReport[] = [];
  readonly #clock: Clock;
  readonly #progress: Progress;
  readonly #clean: Clean;
  #current: StepName | undefined;
  #since = 0;

  constructor(clock: Clock, progress: Progress, clean: Clean) {
    this.#clock = clock;
    this.#progress = progress;
    this.#clean = clean;
  }

  /** The step that goes on. */
  get current(): StepName | undefined {
    return this.#current;
  }

  begin(step: StepName): void {
    this.#current = step;
    this.#since = this.#clock.now();
    this.#progress.begin(step);
  }

  /** Ends the step that goes on; does nothing when none does. */
  end({ details = [], findings = [], failed = false }: StepEnd = {}): void {
    if (this.#current === undefined) return;
    const clean = this.#clean;
    const report = stepOf(this.#current, this.#clock.now() - this.#since, {
      details: details.map(clean.text),
      findings: findings.map(({ code, cause, remedy }) => {
        return { code, cause: clean.text(cause), remedy: clean.advice(remedy) };
      }),
      failed,
    });
    this.#current = undefined;
    this.done.push(report);
    this.#progress.end(report);
  }

  /** A step that takes no time of its own. */
  note(step: StepName, end?: StepEnd): void {
    this.begin(step);
    this.end(end);
  }
}

/** Shows a check-up while it goes on: each step as a line when it ends, and the one that runs as a line that passes. */
import type { Clock } from '../../../basics/clock.ts';
import { showProgress } from '../../server/progress.ts';
import type { Terminal } from '../../terminal.ts';
import { describeStep } from './describe.ts';
import type { StepName, StepReport } from './report.ts';
import type { Progress } from './steps.ts';

export class LiveProgress implements Progress {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #silent: boolean;
  readonly #columns: number | undefined;
  #begun = false;
  #stop = (): void => {};

  /** `silent` prints nothing, and still says what goes on; `columns` are those that lines are printed to. */
  constructor(terminal: Terminal, clock: Clock, silent: boolean, columns?: number | undefined) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#silent = silent;
    this.#columns = columns;
  }

  /** What the steps to come are about. */
  title(title: string): void {
    const { paint } = this.#terminal;
    this.lines(() => [...(this.#begun ? [''] : []), paint('bold', title)]);
    this.#begun = true;
  }

  lines(make: (paint: Terminal['paint']) => readonly string[]): void {
    if (this.#silent) return;
    for (const line of make((style, text) => this.#terminal.paint(style, text))) this.#terminal.print(line);
  }

  begin(step: StepName): void {
    this.#stop();
    // Short, so that it is whole on a narrow terminal; what it is about stands above.
    this.#terminal.status(`  …       ${step}`);
    this.#stop = showProgress(this.#terminal, step, this.#clock);
  }

  end(report: StepReport): void {
    this.stop();
    this.lines(paint => [describeStep(report, paint, this.#columns)]);
  }

  /** Takes away the line that passes. */
  stop(): void {
    this.#stop();
    this.#stop = () => {};
  }
}

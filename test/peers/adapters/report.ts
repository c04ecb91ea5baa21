/** What a program of this folder prints: one line of JSON that the tests read. */
import type { Asked, Json } from './model-server.ts';

export interface Report {
  /** The final answer of the library. */
  readonly answer: string;
  /** What the model was asked, in order. */
  readonly asked: readonly Asked[];
  readonly more?: Json;
}

/** Runs the programs one after the other, and prints for each its report or how it failed. */
export async function runPrograms(programs: Readonly<Record<string, () => Promise<Report>>>): Promise<void> {
  for (const [name, program] of Object.entries(programs)) {
    const outcome = await program().then(
      report => ({ report }),
      (error: unknown) => ({
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    console.log(JSON.stringify({ name, ...outcome }));
  }
}

/** What the suites need of a test runner: a function that takes a name and something to run. */

/** As `test` of vitest, `node:test` and others: registers `run` under `name`. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** The cases of a suite by the sentence that each one shows. */
export type Sentences<Kit> = Readonly<Record<string, (kit: Kit) => Promise<void>>>;

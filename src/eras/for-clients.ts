/** The clients' door of the eras: find out which one a server speaks, and speak it. */
export { type Negotiated, negotiate } from './negotiate.ts';
export { QuestionTurns } from './question-turns.ts';

/** What is measured: one row each, with who takes part and a function that measures one subject once. */
import { agentRows } from './agents.mjs';
import { callRows } from './calls.mjs';
import { growthRows } from './growth.mjs';
import { startRows } from './start.mjs';

export const rows = [...callRows, ...startRows, ...growthRows, ...agentRows];
